/** The form of a sign-in, whatever the sign-in is for. */
import { parseUsername } from "../../rules/identity/grammar.ts";
import type { SignInExchange } from "./exchange.ts";
import { createFormView } from "./form-view.ts";
import type { SignInData } from "./login-data.ts";
import { runLogin } from "./run-login.ts";
import { startForm } from "./start-form.ts";

export function startLogin(
  { purpose, attempt, messages }: SignInData,
  exchange: SignInExchange,
  leave: (target: string) => void,
): void {
  const fields = {
    username: { kind: "text", missing: messages.usernameMissing },
    password: { kind: "password", missing: messages.passwordMissing },
  } as const;
  const view = createFormView("login", fields, messages);
  startForm({
    view,
    messages,
    leave,
    run: async (typed) => {
      view.showBusy(messages.contacting);
      const username = parseUsername(typed.username);
      // Nobody is called so, and nobody has to be asked.
      if (username === null) return { kind: "refused" };
      return runLogin(
        { username, password: typed.password, purpose, attempt, exchange },
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
