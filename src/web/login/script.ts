/** The script of the login page. Bundled into src/web/generated. */
import { parseUsername } from "../../rules/identity/grammar.ts";
import { startCountdown } from "./countdown.ts";
import { readLoginData, type LoginData } from "./login-data.ts";
import { runLogin, type LoginOutcome } from "./run-login.ts";
import { createView, type LoginView, type Typed } from "./view.ts";
import { hasWebCrypto, webCryptoPrimitives } from "./web-crypto.ts";

function startPage(data: LoginData, view: LoginView): void {
  if (!hasWebCrypto()) {
    view.showInsecure();
    return;
  }
  view.showForm();
  let state: "idle" | "busy" | "paused" = "idle";

  const pause = (seconds: number) => {
    state = "paused";
    startCountdown(seconds, document.documentElement.lang, (text) => {
      view.showCountdown(text === null ? null : data.messages.waitFor.replace("{time}", text));
      if (text !== null) return;
      state = "idle";
      view.announce(data.messages.mayTryAgain);
    });
  };

  view.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state === "paused") view.focusProblem();
    if (state !== "idle") return;
    const typed = view.readTyped();
    if (typed === null) return;
    state = "busy";
    void signIn(data, view, typed).then((outcome) => {
      if (outcome.kind === "signed-in") {
        leave(view, outcome.target);
        return;
      }
      state = "idle";
      view.showIdle();
      showProblem(data, view, outcome);
      if (outcome.kind === "throttled") pause(outcome.seconds);
    });
  });

  // Whoever comes back finds a form, and not the address with a code that was used.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

async function signIn(data: LoginData, view: LoginView, typed: Typed): Promise<LoginOutcome> {
  const { messages } = data;
  view.showBusy(messages.contacting);
  const username = parseUsername(typed.username);
  // Nobody is called so, and nobody has to be asked.
  if (username === null) return { kind: "refused" };
  return runLogin(
    webCryptoPrimitives,
    data,
    { username, password: typed.password },
    {
      onDeriving: () => view.showBusy(messages.deriving),
      onProving: () => {
        view.clearPassword();
        view.showBusy(messages.proving);
      },
    },
  );
}

function showProblem({ messages }: LoginData, view: LoginView, outcome: Problem): void {
  switch (outcome.kind) {
    case "refused":
      view.clearPassword();
      return view.showProblem(messages.wrong);
    case "throttled":
      return view.showProblem(messages.throttled);
    case "expired":
      return view.showProblem(messages.expired);
    case "offline":
      return view.showProblem(messages.offline);
    case "forged":
      return view.showProblem(messages.forged);
    case "weakened":
      view.clearPassword();
      return view.showProblem(messages.weakened);
    case "unanswered":
      return view.showProblem(messages.unanswered, outcome.reference);
  }
}

type Problem = Exclude<LoginOutcome, { kind: "signed-in" }>;

/** An app's own scheme leaves the browser where it is, so the page says what to do. */
function leave(view: LoginView, target: string): void {
  view.showDone(target);
  location.replace(target);
}

const form = document.getElementById("login");
const text = form?.dataset["login"];
if (text !== undefined) {
  const data = readLoginData(text);
  startPage(data, createView(data.messages));
}
