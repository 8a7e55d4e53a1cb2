/** Proves the current password, where there is one, and sends a verifier of the new one. */
import { encodeBase64Url } from "../../rules/base64url.ts";
import { findPasswordError } from "../../rules/identity/grammar.ts";
import { createVerifier, PASSWORD_ITERATIONS } from "../../rules/identity/scram.ts";
import { createFormView } from "./form-view.ts";
import { isLocalPath, postJson } from "./post.ts";
import { signIn } from "./sign-in.ts";
import { startForm } from "./start-form.ts";
import { findElement } from "../page-script.ts";
import { createSessionRequests, type KnownBrowserPlace } from "./proof-requests.ts";
import type { PasswordData } from "./password-form.ts";

export function startPasswordForm(data: PasswordData, knownBrowserPlace: KnownBrowserPlace): void {
  if (data.hasPassword) startPasswordChange(data, knownBrowserPlace);
  else startFirstPassword(data);
}

const FORM = "change-password";

function startFirstPassword({ endpoint, csrf, messages }: PasswordData): void {
  const missing = messages.newPasswordMissing;
  const view = createFormView(FORM, { "new-password": { kind: "password", missing } }, messages);
  startForm({
    view,
    messages,
    onSignedIn: (target) => location.assign(target),
    run: async ({ "new-password": newPassword }) => {
      const error = findPasswordError(newPassword);
      if (error !== null) {
        view.showFieldError("new-password", messages[error]);
        return null;
      }
      view.showBusy(messages.deriving);
      const body = { action: "set", csrf, verifier: await createWireVerifier(newPassword) };
      const response = await postJson(endpoint, body, { credentials: "same-origin" });
      if (response.kind !== "json") return response;
      const { next } = response.body;
      return typeof next === "string" && isLocalPath(next)
        ? { kind: "signed-in", target: next }
        : { kind: "unexpected", reference: response.reference };
    },
  });
}

function startPasswordChange(data: PasswordData, knownBrowserPlace: KnownBrowserPlace): void {
  const { messages, purpose, attempt, username } = data;
  const fields = {
    "current-password": { kind: "password", missing: messages.passwordMissing },
    "new-password": { kind: "password", missing: messages.newPasswordMissing },
  } as const;
  const view = createFormView(FORM, fields, messages);
  const revokeAccess = findElement(HTMLInputElement, "revoke-access");

  startForm({
    view,
    messages,
    onSignedIn: (target) => location.assign(target),
    run: async (values, progress) => {
      const password = values["current-password"];
      const newPassword = values["new-password"];
      const isSame = newPassword.normalize("NFC") === password.normalize("NFC");
      const error = findPasswordError(newPassword) ?? (isSame ? "same" : null);
      if (error !== null) {
        view.showFieldError("new-password", messages[error]);
        return null;
      }
      view.showBusy(messages.deriving);
      const verifier = await createWireVerifier(newPassword);
      const members = {
        begin: () => ({}),
        complete: () => ({ verifier, [data.accessMember]: revokeAccess.checked }),
      };
      const requests = createSessionRequests(data, members, knownBrowserPlace);
      return signIn({ username, password, purpose, attempt, requests }, progress);
    },
  });
}

export async function createWireVerifier(password: string) {
  const verifier = await createVerifier(password, PASSWORD_ITERATIONS);
  const { salt, iterations, storedKey, serverKey } = verifier;
  return {
    salt: encodeBase64Url(salt),
    iterations,
    storedKey: encodeBase64Url(storedKey),
    serverKey: encodeBase64Url(serverKey),
  };
}
