/** The page of invitations and reset links, and what its form does. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import { OWNER_ROUTES, type LINK_ROUTES } from "../../contract/sync/owner-routes.ts";
import { WELCOME_REFUSED, type WelcomeBody, type WelcomeUsed } from "../../contract/welcome.ts";
import type { RouteInput } from "../../http/read-input.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { Accounts } from "../../identity/accounts.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { rememberBrowser } from "../../identity/known-browsers.ts";
import type { Passkeys } from "../../identity/passkeys/passkeys.ts";
import type { SecurityLog } from "../../identity/security-log.ts";
import { noteAccepted } from "../../identity/sign-in-history.ts";
import { createWelcome, type Redeemed } from "../../identity/welcome.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { revokeEverything } from "../devices/revoke-everything.ts";
import type { OwnerSessions } from "../owner/owner-sessions.ts";
import type { LoginPages } from "../pages.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { SyncRecords } from "../store.ts";
import { readSignInOrigin } from "./password-sign-in.ts";

export interface SyncWelcomeSettings {
  readonly security: SecurityLog<SyncRecords>;
  readonly accounts: Accounts;
  /** Null where browsers have no passkeys. */
  readonly passkeys: Passkeys | null;
  readonly ownerSessions: OwnerSessions;
  readonly hasOwnerPage: boolean;
  readonly pages: LoginPages;
  readonly randomBytes: RandomBytes;
  now(): number;
}

type PageQuery = RouteInput<typeof LINK_ROUTES.getWelcomePage>;
type WelcomeContext = RequestContext<unknown, { readonly value: WelcomeBody }>;

/** The page needs no store. */
export function createWelcomePage(pages: LoginPages) {
  return ({ lang }: PageQuery, context: RequestContext): HttpResponse =>
    pages.welcome(lang, context);
}

export function createWelcomeHandlers(settings: SyncWelcomeSettings) {
  const { ownerSessions, hasOwnerPage, pages, randomBytes, now } = settings;
  const welcome = createWelcome({ ...settings, hasOneAccount: true });

  return {
    getWelcomePage: createWelcomePage(pages),

    /** As for sign-in links, no other origin can send it. */
    async welcome(_input: unknown, context: WelcomeContext): Promise<HttpResponse> {
      const { requestId, content } = context;
      if (isCrossOrigin(context)) return errorResponse("csrf_failed", requestId);
      const { address } = readSignInOrigin(context);
      const result = await welcome(content.value, address, (records, redeemed) =>
        open(records, redeemed, context),
      );
      switch (result.kind) {
        case "responded":
          return jsonResponse(200, JSON.stringify(result.body));
        case "refused":
          return errorResponse("authentication_failed", requestId, { message: WELCOME_REFUSED });
        case "invalid":
          return errorResponse("invalid_request", requestId);
        case "granted": {
          const { known, cookies } = result.grant;
          const next = hasOwnerPage ? OWNER_ROUTES.getOwnerPage.path : null;
          const body: WelcomeUsed = { kind: "done", username: result.username, next };
          const headers = { [KNOWN_BROWSER_HEADER]: known };
          return { ...jsonResponse(200, JSON.stringify(body), headers), cookies };
        }
      }
    },
  };

  async function open(
    records: SyncRecords,
    { link, account: { accountId } }: Redeemed,
    context: WelcomeContext,
  ) {
    if (link.kind === "reset") await revokeEverything(records);
    const { knownBrowser, address } = readSignInOrigin(context);
    const { identity } = records;
    const { action } = context.content.value;
    const visit = {
      purpose: link.kind,
      method: action === "passkey" ? "passkey" : "password",
      address,
      userAgent: context.header("user-agent"),
    } as const;
    await noteAccepted(identity, visit, { accountId, isNew: true }, now());
    return {
      cookies: hasOwnerPage ? [await ownerSessions.open(records, accountId, context)] : [],
      known: await rememberBrowser(identity, knownBrowser, accountId, now(), randomBytes),
    };
  }
}
