/** The script of the page of invitations and reset links. Bundled into src/web/generated. */
import type { WelcomeBody, WelcomeOpened, WelcomeUsed } from "../../contract/welcome.ts";
import { findPasswordError, parseUsername } from "../../rules/identity/grammar.ts";
import { enableCopying } from "../copy-button.ts";
import { postLink, readLink, showResult } from "../link-script.ts";
import { explainError } from "../login/explain-error.ts";
import { createWireVerifier } from "../login/change-password.ts";
import { createFormView, type FormView } from "../login/form-view.ts";
import type { RequestError } from "../login/post.ts";
import type { SignInFormResult, SignInProgress } from "../login/sign-in.ts";
import { startForm } from "../login/start-form.ts";
import { findElement, readPageData } from "../page-script.ts";
import type { WelcomeData } from "./content.ts";

type Done = Extract<WelcomeUsed, { kind: "done" }>;

const data = readPageData<WelcomeData>("welcome", "welcome");
if (data !== null) start(data, readLink());

function start(page: WelcomeData, link: string): void {
  const { messages } = page;
  const fields = {
    username: { kind: "text", missing: messages.usernameMissing },
    password: { kind: "password", missing: messages.passwordMissing },
  } as const;
  const view = createFormView("welcome", fields, messages);
  if (link === "") {
    showResult("refused");
  } else if (location.origin === page.origin) {
    enableCopying();
    void openLink(page, link, view);
  } else {
    view.showOtherAddress(`${page.origin}${location.pathname}${location.search}#${link}`);
  }
}

type View = FormView<"username" | "password">;

/** Asks what the link is for, again after a wait where the network has to. */
async function openLink(page: WelcomeData, link: string, view: View): Promise<void> {
  const { messages } = page;
  const status = findElement(HTMLElement, "opening-status");
  const tryAgain = findElement(HTMLButtonElement, "try-again");
  findElement(HTMLElement, "needs-script").hidden = true;
  tryAgain.hidden = true;
  status.textContent = messages.opening;
  const response = await send<WelcomeOpened>(page, { action: "open", link });
  if (response.kind === "invitation" || response.kind === "reset") {
    showForm(page, link, response, view);
  } else if (response.kind === "unauthorized") {
    showResult("refused");
  } else {
    status.textContent = explainError(response, messages);
    const again = () => void openLink(page, link, view);
    tryAgain.hidden = false;
    tryAgain.addEventListener("click", again, { once: true });
    // A class that opens its links at once need not press the button.
    if (response.kind === "throttled") setTimeout(() => tryAgain.click(), response.seconds * 1000);
  }
}

function showForm(page: WelcomeData, link: string, opened: WelcomeOpened, view: View): void {
  const { kind, username } = opened;
  findElement(HTMLElement, "opening").hidden = true;
  findElement(HTMLElement, kind).hidden = false;
  findElement(HTMLElement, "submit").textContent = page.submit[kind];
  const name = findElement(HTMLInputElement, "username");
  name.value = username ?? "";
  name.readOnly = kind === "reset";
  if (kind === "reset") {
    writeName(opened.username);
    const shown = document.getElementById(opened.revokesApps ? "apps-revoked" : "apps-kept");
    if (shown !== null) shown.hidden = false;
  }
  startForm({
    view,
    messages: page.messages,
    run: (values, progress) => redeem(page, link, values, view, progress, kind),
    onSignedIn: () => {},
  });
  findElement(HTMLElement, `${kind}-title`).focus();
}

/** Null when the page shows the result. */
async function redeem(
  page: WelcomeData,
  link: string,
  values: Readonly<Record<"username" | "password", string>>,
  view: View,
  progress: SignInProgress,
  kind: WelcomeOpened["kind"],
): Promise<SignInFormResult | null> {
  const { messages } = page;
  // A space that a keyboard adds would be part of the name.
  const username = parseUsername(kind === "reset" ? values.username : values.username.trim());
  if (username === null) {
    view.showFieldError("username", messages.usernameInvalid);
    return null;
  }
  const error = findPasswordError(values.password);
  if (error !== null) {
    view.showFieldError("password", messages[error]);
    return null;
  }
  progress.onDeriving();
  const verifier = await createWireVerifier(values.password);
  view.showBusy(messages.proving);
  const response = await send<WelcomeUsed>(page, { action: "password", link, username, verifier });
  switch (response.kind) {
    case "done":
      showDone(kind === "reset" ? "changed" : "created", response);
      return null;
    case "username-taken":
      view.showFieldError("username", messages.usernameTaken);
      return null;
    case "unauthorized":
      showResult("refused");
      return null;
    default:
      return response;
  }
}

/** The service of the page follows the contract: `R` is the response to this action. */
async function send<R>(page: WelcomeData, body: WelcomeBody): Promise<R | RequestError> {
  const response = await postLink(page, body);
  return response.kind === "json" ? (response.body as R) : response;
}

function showDone(id: "created" | "changed", { username, next }: Done): void {
  writeName(username);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-next]")) {
    link.hidden = next === null;
    link.href = `${next}${location.search}`;
  }
  // The fields go, so that no browser keeps the password.
  findElement(HTMLElement, "welcome").remove();
  showResult(id);
}

function writeName(username: string): void {
  for (const name of document.querySelectorAll("[data-username]")) name.textContent = username;
}
