/** The script of the page of invitations and reset links. Bundled into src/web/generated. */
import type { WelcomeOpened } from "../../contract/welcome.ts";
import { findPasswordError } from "../../rules/identity/grammar.ts";
import { enableCopying } from "../copy-button.ts";
import { readLink, showResult } from "../link-script.ts";
import { createWireVerifier } from "../login/change-password.ts";
import { explainError } from "../login/explain-error.ts";
import { createFormView } from "../login/form-view.ts";
import { startForm } from "../login/start-form.ts";
import { hasPasskeySupport } from "../passkey/ceremony.ts";
import { findElement, readPageData } from "../page-script.ts";
import type { WelcomeData } from "./content.ts";
import { createLinkUse, readName, send, writeName, type WelcomeForm } from "./use-link.ts";

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

/** Asks what the link is for, again after a wait where the network has to. */
async function openLink(page: WelcomeData, link: string, view: WelcomeForm): Promise<void> {
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
    tryAgain.hidden = false;
    tryAgain.addEventListener("click", () => void openLink(page, link, view), { once: true });
    // A class that opens its links at once need not press the button.
    if (response.kind === "throttled") setTimeout(() => tryAgain.click(), response.seconds * 1000);
  }
}

function showForm(page: WelcomeData, link: string, opened: WelcomeOpened, view: WelcomeForm): void {
  const { kind, username, hasPasskeys } = opened;
  const { messages } = page;
  findElement(HTMLElement, "opening").hidden = true;
  findElement(HTMLElement, kind).hidden = false;
  findElement(HTMLElement, "submit").textContent = page.submit[kind];
  const field = findElement(HTMLInputElement, "username");
  field.value = username ?? "";
  field.readOnly = kind === "reset";
  if (kind === "reset") {
    writeName(opened.username);
    const apps = document.getElementById(opened.revokesApps ? "apps-revoked" : "apps-kept");
    if (apps !== null) apps.hidden = false;
  }
  const { usePassword, usePasskey } = createLinkUse(page, link, kind, view);
  startForm({
    view,
    messages,
    async run({ password }, progress) {
      const name = readName(view, messages);
      const error = findPasswordError(password);
      if (error !== null) view.showFieldError("password", messages[error]);
      if (name === null || error !== null) return null;
      progress.onDeriving();
      const verifier = await createWireVerifier(password);
      view.showBusy(messages.proving);
      return usePassword(name, verifier);
    },
    onSignedIn: () => {},
  });
  if (hasPasskeys && hasPasskeySupport()) {
    findElement(HTMLElement, "with-passkey").hidden = false;
    findElement(HTMLElement, "passkey").addEventListener("click", () => void usePasskey());
  }
  findElement(HTMLElement, `${kind}-title`).focus();
}
