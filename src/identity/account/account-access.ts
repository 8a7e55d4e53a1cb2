/**
 * Access to the accounts of a service: the ways in, new passwords, passkeys, the links of an operator, sessions and
 * their history. A service says what is its own (`ServiceAccounts`); the security checks are listed in `checks.ts`.
 */
import { createAccountContext } from "./account-context.ts";
import { createAccountBrowsers } from "./account-browsers.ts";
import { createAccountPasskeys } from "./account-passkeys.ts";
import type { AccountRecords, AccountRequest, AccountAccessSettings } from "./account-service.ts";
import { createAccountLinkUse } from "./account-link-use.ts";
import { createNewPassword } from "./new-password.ts";
import { createPageSignIn } from "./page-sign-in.ts";
import { createWaysInView } from "./ways-in-view.ts";
import { readOrigin } from "./ways-in.ts";

export type AccountAccess<Records extends AccountRecords> = ReturnType<
  typeof createAccountAccess<Records>
>;

export function createAccountAccess<Records extends AccountRecords>(
  settings: AccountAccessSettings<Records>,
) {
  const context = createAccountContext(settings);
  const { service, waysIn } = context;
  const pageSignIn = createPageSignIn(context);
  return {
    ...context,
    signIn: pageSignIn.signIn,
    signInWithPasskey: pageSignIn.signInWithPasskey,
    changePassword: createNewPassword(context, pageSignIn),
    ...createAccountPasskeys(context),
    ...createAccountLinkUse(context),
    ...createWaysInView(context),
    ...createAccountBrowsers(context),
    readOrigin: (request: Pick<AccountRequest, "header" | "clientAddress">) =>
      readOrigin(request, service.knownBrowser),
    isKnownBrowser: (request: Pick<AccountRequest, "header">) =>
      waysIn.admission.isKnownBrowser(service.knownBrowser.read(request)),
  };
}
