/** Uses a link up with a password or a passkey, and shows what came of it. */
import type { NewVerifier } from "../../contract/password-proof.ts";
import type {
  WelcomeBody,
  WelcomeOpened,
  WelcomePasskey,
  WelcomeUsed,
} from "../../contract/welcome.ts";
import { parseNewUsername } from "../../rules/identity/grammar.ts";
import { postLink, showResult } from "../link-script.ts";
import { explainError } from "../login/explain-error.ts";
import type { FormView } from "../login/form-view.ts";
import type { RequestError } from "../login/post.ts";
import { createPasskey } from "../passkey/ceremony.ts";
import { findElement } from "../page-script.ts";
import type { WelcomeData } from "./content.ts";
import type { WelcomeMessages } from "./texts.ts";
import type { Static } from "typebox";

export type WelcomeForm = FormView<"username" | "password">;

export function createLinkUse(
  page: WelcomeData,
  link: string,
  kind: WelcomeOpened["kind"],
  view: WelcomeForm,
) {
  const { messages } = page;

  /** Null when the page shows the result. */
  function show(result: WelcomeUsed | RequestError): Shown {
    switch (result.kind) {
      case "done":
        showDone(kind === "reset" ? "changed" : "created", result);
        return null;
      case "username-taken":
        view.showFieldError("username", messages.usernameTaken);
        return null;
      case "passkey-refused":
        showPasskeyError(messages.passkeyRefused);
        return null;
      case "unauthorized":
        showResult("refused");
        return null;
      default:
        return result;
    }
  }

  async function runPasskey(username: string): Promise<Shown> {
    const begin: WelcomeBody = { action: "passkey-begin", link, username };
    const begun = await send<WelcomePasskey>(page, begin);
    if (begun.kind !== "creation") return show(begun);
    view.showBusy(messages.waitingForPasskey);
    const created = await createPasskey(begun.creation);
    if (created.kind !== "credential") {
      showPasskeyError(messages[created.kind]);
      return null;
    }
    view.showBusy(messages.proving);
    const { credential } = created;
    const body: WelcomeBody = {
      action: "passkey",
      link,
      username,
      name: page.passkeyName,
      credential,
    };
    return show(await send<WelcomeUsed>(page, body));
  }

  return {
    usePassword: async (username: string, verifier: Static<typeof NewVerifier>): Promise<Shown> =>
      show(await send<WelcomeUsed>(page, { action: "password", link, username, verifier })),
    async usePasskey(): Promise<void> {
      if (view.form.classList.contains("busy")) return;
      view.hideError();
      showPasskeyError("");
      const username = readName(view, messages);
      if (username === null) return;
      view.showBusy(messages.contacting);
      const failed = await runPasskey(username);
      view.showIdle();
      if (failed !== null) view.showError(explainError(failed, messages));
    },
  };
}

function showPasskeyError(text: string): void {
  findElement(HTMLElement, "passkey-error").textContent = text;
}

type Shown = Exclude<RequestError, { readonly kind: "unauthorized" }> | null;

/** Null after marking the field. A space that a keyboard adds would be part of a new name. */
export function readName(view: WelcomeForm, messages: WelcomeMessages): string | null {
  const { value, readOnly } = findElement(HTMLInputElement, "username");
  if (readOnly) return value;
  const typed = value.trim();
  const username = parseNewUsername(typed);
  if (username === null) {
    const text = typed === "" ? messages.usernameMissing : messages.usernameInvalid;
    view.showFieldError("username", text);
  }
  return username;
}

/** The service of the page follows the contract: `R` is the response to this action. */
export async function send<R>(page: WelcomeData, body: WelcomeBody): Promise<R | RequestError> {
  const response = await postLink(page, body);
  return response.kind === "json" ? (response.body as R) : response;
}

function showDone(
  id: "created" | "changed",
  { username, next }: Extract<WelcomeUsed, { kind: "done" }>,
): void {
  writeName(username);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-next]")) {
    link.hidden = next === null;
    link.href = `${next}${location.search}`;
  }
  // The fields go, so that no browser keeps the password.
  findElement(HTMLElement, "welcome").remove();
  showResult(id);
}

export function writeName(username: string): void {
  for (const name of document.querySelectorAll("[data-username]")) name.textContent = username;
}
