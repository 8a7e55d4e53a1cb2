/** /v1/passkey: what the script of the login page does with a passkey instead of a password. */
import { createChecker } from "../../contract/check.ts";
import { PasskeyAttempt, type PasskeyBody } from "../../contract/sync/schemas.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { errorResponse } from "../responses/error-response.ts";
import { issueCode } from "./authorization-codes.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import { findAttemptError, isOwnPage } from "./authorize.ts";
import { proofResponse } from "./proof-responses.ts";

type PasskeyContext = RequestContext<unknown, { readonly value: PasskeyBody }>;

export function createPasskeyHandlers(dependencies: SyncDependencies) {
  const { account, csrfHeader, randomBytes, now } = dependencies;
  const { passkeys } = account.waysIn;
  const isAttempt = createChecker(PasskeyAttempt).is;

  return {
    async signInWithPasskey(
      _input: unknown,
      context: PasskeyContext,
    ): Promise<HttpResponse | HttpError> {
      const { requestId, content } = context;
      const body = content.value;
      const { attempt } = body;
      if (passkeys === null) return { kind: "unknown-path" };
      if (!isOwnPage(context, body.csrf, csrfHeader)) {
        return errorResponse("csrf_failed", requestId);
      }
      if (!isAttempt(attempt)) return errorResponse("invalid_authorization_request", requestId);
      const error = findAttemptError(dependencies, attempt, body.csrf, requestId);
      if (error !== null) return error;
      const bound = describeAttempt(attempt);
      if (body.action === "begin") return jsonResponse(200, JSON.stringify(passkeys.begin(bound)));
      const { credential } = body;
      const origin = account.readOrigin(context);
      const request = { attempt: bound, credential, purpose: "app", ...origin } as const;
      const result = await passkeys.prove(request, ({ identity }) =>
        issueCode(identity, attempt, now(), randomBytes),
      );
      const { state, redirectUri } = attempt;
      return proofResponse(result, requestId, ({ value }) => ({ code: value, state, redirectUri }));
    },
  };
}

/** One text for each attempt, whatever the order of its members. */
function describeAttempt(attempt: PasskeyAttempt): string {
  const { state, codeChallenge, redirectUri, attemptId, deviceId } = attempt;
  return JSON.stringify([state, codeChallenge, redirectUri, attemptId, deviceId]);
}
