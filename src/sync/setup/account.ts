/** What the account of sync has of its own. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import { OWNER_ROUTES } from "../../contract/sync/owner-routes.ts";
import { OWNER_ABSOLUTE_SECONDS, OWNER_IDLE_SECONDS } from "../../contract/sync/owner-values.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { RequestContext } from "../../http/request.ts";
import type {
  AccountRealm,
  AccountRequest,
  AccountResponse,
  ServiceAccounts,
} from "../../identity/account/account-service.ts";
import { revokeEverything } from "../devices/revoke-everything.ts";
import { ownerAddress } from "../owner/owner-address.ts";
import { errorResponse } from "../responses/error-response.ts";
import { CODES } from "../sign-in/authorization-codes.ts";
import { SYNC_REALM, type SyncRecords } from "../store.ts";

export const SYNC_ACCOUNT: AccountRealm<SyncRecords> = {
  realm: SYNC_REALM,
  hasOneAccount: true,
  sessionsOf: ({ browserSessions }) => browserSessions,
  /** Devices stay signed in. */
  endCodes: ({ identity }) => identity.removeUnusedSecrets(CODES.purpose),
  endAccess: revokeEverything,
};

export function createSyncAccountService(hasOwnerPage: boolean): ServiceAccounts<SyncRecords> {
  return {
    ...SYNC_ACCOUNT,
    purpose: LOGIN_PURPOSE,
    cookieName: "trellis-sync-owner",
    /** Nothing links to the owner's page from elsewhere. No route under `/v1` reads a cookie. */
    sameSite: "Strict",
    idleSeconds: OWNER_IDLE_SECONDS,
    absoluteSeconds: OWNER_ABSOLUTE_SECONDS,
    /** In the storage of the page: the sign-in page of apps has no cookies. */
    knownBrowser: {
      read: (request) => request.header(KNOWN_BROWSER_HEADER.toLowerCase()),
      keep: (value) => ({ headers: { [KNOWN_BROWSER_HEADER]: value } }),
    },
    findTarget: (_interaction, request) => ({ next: ownerAddress(request), purpose: "page" }),
    noticePath: (notice, request) => ownerAddress(request, notice),
    homePath: hasOwnerPage ? OWNER_ROUTES.getOwnerPage.path : null,
    resetEndsAccess: () => true,
  };
}

/** A handler of a route with a JSON body, which the account responds to. */
export function handleAccount<Body>(
  run: (body: Body, request: AccountRequest) => Promise<AccountResponse>,
) {
  return async (
    _input: unknown,
    context: RequestContext<unknown, { readonly value: Body }>,
  ): Promise<HttpResponse | HttpError> => {
    const response = await run(context.content.value, context);
    switch (response.kind) {
      case "done": {
        const { body, headers, cookies } = response;
        return { ...jsonResponse(200, JSON.stringify(body), headers), cookies };
      }
      case "refused": {
        const { code, reason } = response;
        return errorResponse(
          code,
          context.requestId,
          reason === undefined ? {} : { message: reason },
        );
      }
      default:
        return response;
    }
  };
}
