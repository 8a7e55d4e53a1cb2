/** What the parts of the access to accounts share. */
import { createAccounts } from "../accounts.ts";
import { createBrowserSessions } from "../browser-sessions.ts";
import { createCsrfGuard } from "../csrf.ts";
import { confirmBrowser } from "../known-browsers.ts";
import { createPasskeys } from "../passkeys/passkeys.ts";
import { createRelyingParty } from "../passkeys/relying-party.ts";
import { createSecurityLog } from "../security-log.ts";
import type { AccountRecords, AccountAccessSettings } from "./account-service.ts";
import { createAccountChecks } from "./checks.ts";
import { createWaysIn } from "./ways-in.ts";

export type AccountContext<Records extends AccountRecords> = ReturnType<
  typeof createAccountContext<Records>
>;

export function createAccountContext<Records extends AccountRecords>(
  settings: AccountAccessSettings<Records>,
) {
  const { service, store, instanceKey, baseUrl, randomBytes, now } = settings;
  const { realm, sessionsOf } = service;
  const rp = createRelyingParty(baseUrl, settings.displayName);
  const accounts = createAccounts({ realm, instanceKey, randomBytes });
  /** Null where browsers have no passkeys: at an address without a name, or without TLS. */
  const passkeys = rp === null ? null : createPasskeys({ realm, rp, instanceKey, randomBytes });
  const security = createSecurityLog<Records>({ store, now, onEvent: settings.onSecurityEvent });
  const csrf = createCsrfGuard(instanceKey, `${realm}/forms`);
  const sessions = createBrowserSessions<Records>({
    ...service,
    store,
    name: service.cookieName,
    isHttps: new URL(baseUrl).protocol === "https:",
    randomBytes,
    now,
    recordsOf: sessionsOf,
    onExtend: ({ identity }, { accountId }, request) =>
      confirmBrowser(identity, service.knownBrowser.read(request), accountId, now()),
  });
  const checks = createAccountChecks<Records>({ csrf, sessions, security, sessionsOf, now });
  const waysIn = createWaysIn(settings, accounts, passkeys, security);
  return { ...settings, accounts, passkeys, security, csrf, sessions, checks, waysIn };
}
