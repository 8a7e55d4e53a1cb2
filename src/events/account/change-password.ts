/** Changes the password after a proof of the current one. Neither password leaves the browser. */
import { createChecker } from "../../contract/check.ts";
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import {
  ChangePasswordBody,
  type ChangePasswordComplete,
  type ProofAccepted,
} from "../../contract/events/schemas.ts";
import { MAX_PAGE_BODY_BYTES } from "../../contract/events/values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readJsonBody } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import { clientShares, identifyBefore } from "../../identity/known-browsers.ts";
import { readWireVerifier } from "../../identity/wire-verifier.ts";
import { isCrossSite } from "../../identity/csrf.ts";
import type { EventsDependencies } from "../dependencies.ts";
import { errorResponse } from "../error-response.ts";
import { challengeResponse, proofErrorResponse } from "../sign-in.ts";
import { noticePath } from "./account-page.ts";

const PATH = EVENTS_PAGE_ROUTES.getSettingsPage.path;

export function createPasswordChange(dependencies: EventsDependencies) {
  const { store, security, csrf, sessions, signIn, now } = dependencies;
  const checker = createChecker(ChangePasswordBody);

  return async (context: RequestContext): Promise<HttpResponse | HttpError> => {
    const rules = { mediaType: "application/json", maxBytes: MAX_PAGE_BODY_BYTES };
    const content = await readJsonBody(context, rules);
    if (content.kind !== "json") return content;
    const body = content.value;
    if (!checker.is(body)) return errorResponse("invalid_request");
    const session = await sessions.find(context);
    const isVerified =
      session !== null &&
      !isCrossSite(context) &&
      csrf.isSessionToken(body.csrf, session.sessionHash);
    if (!isVerified) return errorResponse("csrf_failed");
    if (body.action === "complete") return complete(body, session, context);
    const { username } = session;
    const client = await identifyBefore(
      store,
      { username, ...sessions.readSignInOrigin(context) },
      now(),
    );
    const result = await dependencies.limiters.signIn.consumeEach(clientShares(client));
    if (result.kind === "limited") return { ...result, kind: "rate-limited" };
    const request = {
      username,
      attempt: { interaction: csrf.passwordInteraction(session.sessionHash) },
      client,
    };
    return store.transaction(async ({ identity }) =>
      challengeResponse(await signIn.begin(identity, request, now())),
    );
  };

  /** Closes all sessions of the account, and opens a new one for this browser. */
  async function complete(
    { challengeId, clientNonce, proof, ...change }: ChangePasswordComplete,
    { accountId, username, sessionHash }: BrowserSession,
    context: RequestContext,
  ): Promise<HttpResponse | HttpError> {
    const verifier = readWireVerifier(change.verifier);
    if (verifier === null) return errorResponse("invalid_request");
    const claimed = { interaction: csrf.passwordInteraction(sessionHash) };
    const request = {
      challengeId,
      clientNonce,
      proof,
      claimed,
      ...sessions.readSignInOrigin(context),
    };
    return security.transaction(async (records, note) => {
      const result = await signIn.complete(records.identity, request, now());
      if (result.kind !== "proved") return proofErrorResponse(result, request.address, note);
      await dependencies.accounts.replaceVerifier(records.identity, username, verifier, now());
      await note("password-changed", request.address);
      await records.sessions.closeAll(accountId);
      // A code may have been issued to an attacker who knew the old password.
      await records.grants.revokeCodes(accountId);
      if (change.disconnectApps) await records.grants.revokeAll(accountId);
      const cookies = await sessions.open(records, accountId, context);
      const accepted: ProofAccepted = {
        serverSignature: result.serverSignature,
        next: noticePath(PATH, "password-changed"),
      };
      return { ...jsonResponse(200, JSON.stringify(accepted)), cookies };
    });
  }
}
