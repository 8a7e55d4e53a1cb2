/** Proves the current password and sends a verifier of the new one. */
import { encodeBase64Url } from "../../rules/base64url.ts";
import { findPasswordError } from "../../rules/identity/grammar.ts";
import { createVerifier, PASSWORD_ITERATIONS } from "../../rules/identity/scram.ts";
import { createFormView } from "./form-view.ts";
import { signIn } from "./sign-in.ts";
import { startForm } from "./start-form.ts";
import { findElement } from "../page-script.ts";
import { createSessionRequests, type KnownBrowserPlace } from "./proof-requests.ts";
import type { PasswordData } from "./password-form.ts";

export function startPasswordChange(
  data: PasswordData,
  knownBrowserPlace: KnownBrowserPlace,
): void {
  const { messages, purpose, attempt, username } = data;
  const fields = {
    "current-password": { kind: "password", missing: messages.passwordMissing },
    "new-password": { kind: "password", missing: messages.newPasswordMissing },
  } as const;
  const view = createFormView("change-password", fields, messages);
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
