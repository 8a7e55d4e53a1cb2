/** The sign-in with a passkey beside a password form: by a button, and in the autofill of the user name. */
import { PASSKEY_CHALLENGE_SECONDS } from "../../contract/identity.ts";
import { explainError } from "../login/explain-error.ts";
import type { RequestError } from "../login/post.ts";
import { findElement } from "../page-script.ts";
import {
  hasAutofillSupport,
  hasPasskeySupport,
  requestPasskey,
  type CeremonyError,
  type PasskeyRequestOptions,
} from "./ceremony.ts";
import type { PasskeySignInRequests } from "./requests.ts";

export type PasskeyMessages = Readonly<
  Record<RequestError["kind"] | CeremonyError["kind"], string>
>;

/** What a page passes to the script. */
export interface PasskeySignInData {
  readonly endpoint: string;
  readonly messages: PasskeyMessages;
}

export interface PasskeySignInOptions extends Pick<PasskeySignInData, "messages"> {
  readonly requests: PasskeySignInRequests;
  readonly onSignedIn: (target: string) => void;
}

type SignInResult =
  | { readonly kind: "signed-in"; readonly target: string }
  | { readonly kind: "aborted" }
  | { readonly kind: "not-chosen" | "refused"; readonly text: string };

/** The autofill gets a new challenge a minute before its own expires. */
const AUTOFILL_MS = (PASSKEY_CHALLENGE_SECONDS - 60) * 1000;

export function startPasskeySignIn({ requests, messages, onSignedIn }: PasskeySignInOptions): void {
  if (!hasPasskeySupport()) return;
  const button = findElement(HTMLElement, "passkey");
  const error = findElement(HTMLElement, "passkey-error");
  let ceremony = new AbortController();
  let isBusy = false;

  findElement(HTMLElement, "passkey-sign-in").hidden = false;
  button.addEventListener("click", () => {
    if (!isBusy) void signInByButton();
  });
  // A person who submits the password has decided against a passkey.
  button.closest("form")?.addEventListener("submit", () => ceremony.abort());
  void offerAutofill();

  async function signInByButton(): Promise<void> {
    isBusy = true;
    error.textContent = "";
    const result = await signIn("optional");
    isBusy = false;
    if ("text" in result) error.textContent = result.text;
    if (result.kind === "not-chosen") await offerAutofill();
  }

  async function offerAutofill(): Promise<void> {
    if (!(await hasAutofillSupport())) return;
    const renewal = setTimeout(() => whenVisible(offerAutofill), AUTOFILL_MS);
    const result = await signIn("conditional");
    clearTimeout(renewal);
    // Only a person who chose a passkey expects to hear of it.
    if (result.kind === "refused") error.textContent = result.text;
  }

  /** Ends the ceremony before, because a page can have only one. */
  async function signIn(mediation: PasskeyRequestOptions["mediation"]): Promise<SignInResult> {
    ceremony.abort();
    ceremony = new AbortController();
    const { signal } = ceremony;
    const begun = await requests.begin();
    if (begun.kind !== "begun") return { kind: "not-chosen", text: explainError(begun, messages) };
    const chosen = await requestPasskey(begun, { mediation, signal });
    if (signal.aborted) return { kind: "aborted" };
    if (chosen.kind !== "credential") return { kind: "not-chosen", text: messages[chosen.kind] };
    const result = await requests.complete(chosen.credential);
    if (result.kind !== "signed-in") {
      return { kind: "refused", text: explainError(result, messages) };
    }
    onSignedIn(result.target);
    return result;
  }
}

/** A tab in the background asks for no challenges. */
function whenVisible(action: () => Promise<void>): void {
  if (!document.hidden) {
    void action();
    return;
  }
  document.addEventListener("visibilitychange", () => whenVisible(action), { once: true });
}
