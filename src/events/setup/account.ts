/** What the accounts of events have of their own. */
import {
  LOGIN_PURPOSE,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from "../../contract/events/values.ts";
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { RequestContext } from "../../http/request.ts";
import type { AccountAccess } from "../../identity/account/account-access.ts";
import type {
  AccountRealm,
  AccountRequest,
  AccountResponse,
  ServiceAccounts,
} from "../../identity/account/account-service.ts";
import { createCookie } from "../../identity/browser-sessions.ts";
import { KNOWN_BROWSER_SECONDS } from "../../identity/known-browsers.ts";
import { noticePath } from "../account/notices.ts";
import { revokeAllAccess } from "../oauth/grants.ts";
import { consentPath, findOwnPath } from "../oauth/interactions.ts";
import { errorResponse } from "../responses/error-response.ts";
import { EVENTS_REALM, type EventsRecords } from "../store.ts";

export type EventsAccount = AccountAccess<EventsRecords>;

const { getHomePage, getSettingsPage } = EVENTS_PAGE_ROUTES;
/** Apps send people here from elsewhere, so the cookies come with links of other sites. */
const COOKIES = { name: "trellis-events", sameSite: "Lax" } as const;
const KNOWN_MAX_AGE = `Max-Age=${KNOWN_BROWSER_SECONDS}; `;
const KNOWN_VALUE = /^[A-Za-z0-9_.-]{43,512}$/;

/** `timeZone` is that of accounts whose invitation names none. */
export function createEventsRealm(timeZone: string): AccountRealm<EventsRecords> {
  return {
    realm: EVENTS_REALM,
    hasOneAccount: false,
    sessionsOf: ({ sessions }) => sessions,
    endCodes: ({ grants }, { accountId }) => grants.revokeCodes(accountId),
    endAccess: revokeAllAccess,
    onCreated: ({ profiles }, { accountId }, zone) =>
      profiles.put({ accountId, timeZone: zone ?? timeZone, language: null }),
  };
}

export function createEventsAccountService(
  isHttps: boolean,
  timeZone: string,
): ServiceAccounts<EventsRecords> {
  const knownCookie = createCookie({
    ...COOKIES,
    name: `${COOKIES.name}-known`,
    isHttps,
    isValue: (text) => KNOWN_VALUE.test(text),
  });
  return {
    ...createEventsRealm(timeZone),
    purpose: LOGIN_PURPOSE,
    cookieName: COOKIES.name,
    sameSite: COOKIES.sameSite,
    idleSeconds: SESSION_IDLE_SECONDS,
    absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
    /** In a cookie, with the tokens of the accounts that signed in from the browser. */
    knownBrowser: {
      read: knownCookie.read,
      keep: (value) => ({ cookies: [knownCookie.write(value, KNOWN_MAX_AGE)] }),
    },
    findTarget(interaction) {
      const ownPath = findOwnPath(interaction);
      return ownPath === null
        ? { next: consentPath(interaction), purpose: "app" }
        : { next: ownPath, purpose: "page" };
    },
    noticePath: (notice) => noticePath(getSettingsPage.path, notice),
    homePath: getHomePage.path,
    resetEndsAccess: ({ revokesApps }) => revokesApps,
  };
}

/** A handler of a route with a JSON body, which the account responds to. */
export function handleAccount<Body>(
  run: (body: Body, request: AccountRequest) => Promise<AccountResponse>,
) {
  return async (
    _input: unknown,
    context: RequestContext<unknown, { readonly value: Body }>,
  ): Promise<HttpResponse | HttpError> => toResponse(await run(context.content.value, context));
}

export function toResponse(response: AccountResponse): HttpResponse | HttpError {
  switch (response.kind) {
    case "done": {
      const { body, headers, cookies } = response;
      return { ...jsonResponse(200, JSON.stringify(body), headers), cookies };
    }
    case "refused": {
      const { code, reason } = response;
      return errorResponse(code, reason === undefined ? {} : { description: reason });
    }
    default:
      return response;
  }
}
