/** The form for a new password at work: the old one is proved, and a verifier of the new one made. */
import { encodeBase64Url } from "../../../rules/base64url.ts";
import { findPasswordError } from "../../../rules/identity/grammar.ts";
import { createVerifier, PASSWORD_ITERATIONS } from "../../../rules/identity/scram.ts";
import { findElement } from "../../find-element.ts";
import { createFormView } from "../../login/form-view.ts";
import { runLogin } from "../../login/run-login.ts";
import { startForm } from "../../login/start-form.ts";
import { createSessionExchange } from "../session-exchange.ts";
import { describePasswordError, type PasswordData } from "./password-data.ts";

export function startPasswordChange(data: PasswordData): void {
  const { messages, purpose, attempt, username } = data;
  const fields = {
    "current-password": { kind: "password", missing: messages.passwordMissing },
    "new-password": { kind: "password", missing: messages.freshMissing },
  } as const;
  const view = createFormView("change-password", fields, messages);
  const disconnect = findElement(HTMLInputElement, "disconnect");

  startForm({
    view,
    messages,
    leave: (target) => location.assign(target),
    run: async (typed) => {
      const current = typed["current-password"];
      const fresh = typed["new-password"];
      const fault = findPasswordError(fresh);
      const wrong = fault === null ? null : describePasswordError(messages, fault);
      const refusal =
        wrong ?? (fresh.normalize("NFC") === current.normalize("NFC") ? messages.same : null);
      if (refusal !== null) {
        view.showFieldError("new-password", refusal);
        return null;
      }
      view.showBusy(messages.deriving);
      const verifier = await createWireVerifier(fresh);
      const exchange = createSessionExchange(data, {
        begin: () => ({}),
        complete: () => ({ verifier, disconnectApps: disconnect.checked }),
      });
      return runLogin(
        { username, password: current, purpose, attempt, exchange },
        {
          onDeriving: () => view.showBusy(messages.deriving),
          onProving: () => {
            view.clearPasswords();
            view.showBusy(messages.proving);
          },
        },
      );
    },
  });
}

async function createWireVerifier(password: string) {
  const verifier = await createVerifier(password, PASSWORD_ITERATIONS);
  const { salt, iterations, storedKey, serverKey } = verifier;
  return {
    salt: encodeBase64Url(salt),
    iterations,
    storedKey: encodeBase64Url(storedKey),
    serverKey: encodeBase64Url(serverKey),
  };
}
