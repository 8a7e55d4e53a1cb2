/**
 * The server in the place of a person: it proves the password of the account that it made to the sign-in of the
 * sync service, and allows the app to read the events. The devices of the demo are frames, and the pages on
 * which a person would do this refuse to be framed.
 */
import { SYNC_ROUTES } from "../../src/contract/sync/routes.ts";
import { LOGIN_PURPOSE } from "../../src/contract/sync/values.ts";
import { createGrants } from "../../src/events/oauth/grants.ts";
import type { EventsStore } from "../../src/events/store.ts";
import { createSecurityLog } from "../../src/identity/security-log.ts";
import { checkAuthorization, codeRedirect } from "../../src/rules/events/wire/authorization.ts";
import { parseParameters } from "../../src/rules/events/wire/parse-parameters.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { createLoginRequests } from "../../src/web/login/proof-requests.ts";
import { signIn } from "../../src/web/login/sign-in.ts";
import type {
  EventsConfiguration,
  SyncConfiguration,
} from "../../src/configuration/configuration-schema.ts";

/** Returns the address that the browser of the person would be redirected to. */
export type Authorize = (url: URL) => Promise<string>;

export function createSyncPerson(
  { baseUrl, headerPrefix }: Pick<SyncConfiguration, "baseUrl" | "headerPrefix">,
  account: { readonly username: string; readonly password: string },
): Authorize {
  const endpoint = `${baseUrl}${SYNC_ROUTES.getAuthorizePage.path}`;
  return async ({ searchParams }) => {
    const read = (name: string) => searchParams.get(name) ?? "";
    const attempt = {
      codeChallenge: read("code_challenge"),
      state: read("state"),
      redirectUri: read("redirect_uri"),
      attemptId: read("attempt_id"),
      deviceId: read("device_id"),
    };
    const requests = createLoginRequests(
      { endpoint, csrfHeader: `X-${headerPrefix}-CSRF`, attempt, delivery: "query" },
      // This process has no storage of a page, and keeps no value either way.
      "cookie",
    );
    const result = await signIn(
      { ...account, purpose: LOGIN_PURPOSE, attempt, requests },
      { onDeriving() {}, onProving() {} },
    );
    if (result.kind !== "signed-in") throw new Error(`The sign-in failed: ${result.kind}`);
    return result.target;
  };
}

export function createEventsPerson(
  { clients, baseUrl: issuer }: Pick<EventsConfiguration, "clients" | "baseUrl">,
  store: EventsStore,
  accountId: string,
): Authorize {
  const now = Date.now;
  const security = createSecurityLog({ store, onEvent: undefined, now });
  const grants = createGrants({ store, security, randomBytes, clients, now });
  return async ({ search }) => {
    const result = checkAuthorization(parseParameters(search.slice(1)), clients);
    if (result.kind !== "accepted") throw new Error("The demo's app sent no valid request");
    const { redirectUri, state } = result.request;
    const code = await store.transaction((records) =>
      grants.issueCode(records, accountId, result.request),
    );
    return codeRedirect({ code, redirectUri, state, issuer });
  };
}
