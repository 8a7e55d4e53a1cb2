/**
 * A new password, for who proves the current one. The page derives the new verifier: neither password
 * ever leaves the browser.
 */
import { createChecker } from "../../contract/check.ts";
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import {
  ChangePasswordBody,
  type ChangePasswordComplete,
  type ProofAccepted,
} from "../../contract/events/schemas.ts";
import { MAX_PAGE_BODY_BYTES } from "../../contract/events/values.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readJsonBody } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { decodeBase64Url } from "../../rules/base64url.ts";
import {
  PASSWORD_ITERATIONS,
  PROOF_BYTES,
  SALT_BYTES,
  type PasswordVerifier,
} from "../../rules/identity/scram.ts";
import { noticeAddress } from "../addresses.ts";
import { answerChallenge } from "../answer-challenge.ts";
import { errorResponse } from "../error-response.ts";
import { isCrossSite } from "../forgery-guard.ts";
import type { EventsDependencies } from "../parts.ts";
import type { BrowserSession } from "../store.ts";

const PATH = EVENTS_PAGE_ROUTES.getSettingsPage.path;

export function createPasswordChange(parts: EventsDependencies) {
  const { store, guard, signIn, now } = parts;
  const checker = createChecker(ChangePasswordBody);

  return async (context: RequestContext): Promise<HttpResponse | HttpError> => {
    const rules = { mediaType: "application/json", maxBytes: MAX_PAGE_BODY_BYTES };
    const content = await readJsonBody(context, rules);
    if (content.kind !== "json") return content;
    const body = content.value;
    if (!checker.is(body)) return errorResponse("invalid_request");
    const session = await parts.sessions.find(context);
    const isOurs =
      session !== null &&
      !isCrossSite(context) &&
      guard.isSessionToken(body.csrf, session.sessionHash);
    if (!isOurs) return errorResponse("csrf_failed");
    if (body.action === "complete") return complete(body, session, context);
    const address = context.clientAddress();
    const result = await parts.limiters.signIn.consume(address);
    if (result.kind === "limited") return { ...result, kind: "rate-limited" };
    const request = {
      username: session.username,
      attempt: { interaction: guard.passwordInteraction(session.sessionHash) },
      address,
    };
    return store.transaction(async ({ identity }) =>
      answerChallenge(await signIn.begin(identity, request, now())),
    );
  };

  /** Every session ends with the old password; this browser gets a new one. */
  async function complete(
    { challengeId, clientNonce, proof, ...change }: ChangePasswordComplete,
    { accountId, username, sessionHash }: BrowserSession,
    context: RequestContext,
  ): Promise<HttpResponse | HttpError> {
    const verifier = readVerifier(change.verifier);
    if (verifier === null) return errorResponse("invalid_request");
    const claimed = { interaction: guard.passwordInteraction(sessionHash) };
    const address = context.clientAddress();
    const request = { challengeId, clientNonce, proof, claimed, address };
    return store.transaction(async (records) => {
      const outcome = await signIn.complete(records.identity, request, now());
      if (outcome.kind === "throttled") return { ...outcome, kind: "rate-limited" };
      if (outcome.kind === "failed") return errorResponse("authentication_failed");
      await parts.accounts.replaceVerifier(records.identity, username, verifier, now());
      await records.sessions.closeAll(accountId);
      // Whoever changes the password may have lost the browser in which a code was just made.
      await records.grants.endCodes(accountId);
      if (change.disconnectApps) await records.grants.revokeAll(accountId);
      const cookie = await parts.sessions.open(records, accountId, context);
      const accepted: ProofAccepted = {
        serverSignature: outcome.serverSignature,
        next: noticeAddress(PATH, "password-changed"),
      };
      return jsonResponse(200, JSON.stringify(accepted), cookie);
    });
  }
}

/** The same iterations for everybody, or known names could be told from unknown ones. */
function readVerifier(given: ChangePasswordComplete["verifier"]): PasswordVerifier | null {
  const { iterations } = given;
  const [salt, storedKey, serverKey] = [given.salt, given.storedKey, given.serverKey].map(
    decodeBase64Url,
  );
  const isRight =
    iterations === PASSWORD_ITERATIONS &&
    salt?.length === SALT_BYTES &&
    storedKey?.length === PROOF_BYTES &&
    serverKey?.length === PROOF_BYTES;
  return isRight ? { salt, iterations, storedKey, serverKey } : null;
}
