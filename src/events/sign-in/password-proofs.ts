/** The password proofs of the pages: sign-in, and a change of the password. No password leaves the browser. */
import { createChecker } from "../../contract/check.ts";
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { ChangePasswordBody } from "../../contract/events/schemas.ts";
import { MAX_PAGE_BODY_BYTES } from "../../contract/events/values.ts";
import type { SignInBody } from "../../contract/password-proof.ts";
import { readJsonBody } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse } from "../../http/response.ts";
import { isFresh, type BrowserSession } from "../../identity/browser-sessions.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { removeAllPasskeys } from "../../identity/passkeys/remove-all.ts";
import { readWireVerifier } from "../../identity/password-verifier.ts";
import { parseUsername } from "../../rules/identity/grammar.ts";
import type { PasswordVerifier } from "../../rules/identity/scram.ts";
import { noticePath } from "../account/account-page.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";
import { createProofExchange, type HandlerResult } from "./proof-exchange.ts";
import { readSignInRequest } from "./sign-in-request.ts";

const { getSettingsPage } = EVENTS_PAGE_ROUTES;
const JSON_RULES = { mediaType: "application/json", maxBytes: MAX_PAGE_BODY_BYTES };

export type PasswordProofs = ReturnType<typeof createPasswordProofs>;

export function createPasswordProofs(dependencies: EventsDependencies) {
  const { accounts, csrf, security, sessions, now } = dependencies;
  const { begin, complete } = createProofExchange(dependencies);
  const passwordBody = createChecker(ChangePasswordBody);

  return {
    async signIn(
      _input: unknown,
      context: RequestContext<undefined, { readonly value: SignInBody }>,
    ): HandlerResult {
      const body = context.content.value;
      const request = readSignInRequest(dependencies, body.csrf, context);
      if (request === null) return errorResponse("csrf_failed");
      const { interaction, next, isLive } = request;
      if (body.action === "complete") {
        return complete(body, interaction, context, next, async (_records, note, proved) => {
          if (!proved.isKnownBrowser) await note("new-device", context.clientAddress());
        });
      }
      const username = parseUsername(body.username);
      if (username === null) return errorResponse("invalid_request");
      return begin(username, interaction, context, isLive);
    },

    /** Closes all sessions of the account, and opens a new one for this browser. */
    async changePassword(context: RequestContext): HandlerResult {
      const content = await readJsonBody(context, JSON_RULES);
      if (content.kind !== "json") return content;
      const body = content.value;
      if (!passwordBody.is(body)) return errorResponse("invalid_request");
      const session = await sessions.find(context);
      const isVerified =
        session !== null &&
        !isCrossOrigin(context) &&
        csrf.isSessionToken(body.csrf, session.sessionHash);
      if (!isVerified) return errorResponse("csrf_failed");
      const { accountId, username } = session;
      const interaction = csrf.passwordInteraction(session.sessionHash);
      if (body.action === "begin") return begin(username, interaction, context);
      const verifier = readWireVerifier(body.verifier);
      if (verifier === null) return errorResponse("invalid_request");
      if (body.action === "set") return setFirstPassword(session, verifier, context);
      const next = noticePath(getSettingsPage.path, "password-changed");
      return complete(body, interaction, context, next, async (records, note) => {
        await accounts.replaceVerifier(records.identity, username, verifier, now());
        await note("password-changed", context.clientAddress());
        await records.sessions.closeAll(accountId);
        // A code may have been issued to an attacker who knew the old password.
        await records.grants.revokeCodes(accountId);
        if (!body.disconnectApps) return;
        await records.grants.revokeAll(accountId);
        await removeAllPasskeys(records.identity, accountId, note, context.clientAddress());
      });
    },
  };

  /** There is no password to prove: a recent sign-in with a passkey stands for it. */
  async function setFirstPassword(
    session: BrowserSession,
    verifier: PasswordVerifier,
    context: RequestContext,
  ): HandlerResult {
    const { sessionHash, username } = session;
    if (!isFresh(session, now())) return errorResponse("authentication_failed");
    return security.transaction(async ({ identity, sessions: live }, note): HandlerResult => {
      const account = await identity.findAccount(username);
      if (account?.hasPassword !== false || !(await live.isLive(sessionHash, now()))) {
        return errorResponse("authentication_failed");
      }
      await accounts.replaceVerifier(identity, username, verifier, now());
      await note("password-changed", context.clientAddress());
      const next = noticePath(getSettingsPage.path, "password-set");
      return jsonResponse(200, JSON.stringify({ next }));
    });
  }
}
