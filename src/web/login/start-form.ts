/** A form that proves a password, at work: one try at a time, and none while the server wants a rest. */
import { startCountdown } from "./countdown.ts";
import { describeProblem } from "./describe-problem.ts";
import type { FormView, Typed } from "./form-view.ts";
import type { LoginMessages } from "./login-data.ts";
import type { LoginResult } from "./run-login.ts";
import { hasWebCrypto } from "../../rules/web-crypto.ts";

export interface ProofForm<Id extends string> {
  readonly view: FormView<Id>;
  readonly messages: LoginMessages;
  /** Null when the form has told what is wrong with what was typed. */
  readonly run: (typed: Typed<Id>) => Promise<LoginResult | null>;
  /** Takes the browser to where it all leads. */
  readonly leave: (target: string) => void;
}

export function startForm<Id extends string>({ view, messages, run, leave }: ProofForm<Id>): void {
  if (!hasWebCrypto()) {
    view.showInsecure();
    return;
  }
  view.showForm();
  let state: "idle" | "busy" | "paused" = "idle";

  const pause = (seconds: number) => {
    state = "paused";
    startCountdown(seconds, document.documentElement.lang, (text) => {
      view.showCountdown(text === null ? null : messages.waitFor.replace("{time}", text));
      if (text !== null) return;
      state = "idle";
      view.announce(messages.mayTryAgain);
    });
  };

  const finish = (outcome: LoginResult | null) => {
    if (outcome?.kind === "signed-in") {
      leave(outcome.target);
      return;
    }
    state = "idle";
    view.showIdle();
    if (outcome === null) return;
    if (outcome.kind === "refused" || outcome.kind === "weakened") view.clearPasswords();
    view.showError(...describeProblem(messages, outcome));
    if (outcome.kind === "throttled") pause(outcome.seconds);
  };

  view.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state === "paused") view.focusError();
    if (state !== "idle") return;
    const typed = view.readTyped();
    if (typed === null) return;
    state = "busy";
    void run(typed).then(finish);
  });

  // Whoever comes back finds a form, and not the address with a code that was used.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
