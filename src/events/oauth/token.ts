/** POST /api/oauth/token and POST /api/oauth/revoke. */
import { FORM_TYPE, MAX_TOKEN_BODY_BYTES } from "../../contract/events/values.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { readText } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { checkRevocationRequest } from "../../rules/events/wire/check-revocation-request.ts";
import { checkTokenRequest } from "../../rules/events/wire/check-token-request.ts";
import type { FormRequest } from "../../rules/events/wire/form-request.ts";
import { errorResponse, formErrorResponse } from "../error-response.ts";
import type { EventsDependencies } from "../parts.ts";

export function createTokenHandlers(parts: Pick<EventsDependencies, "clients" | "grants">) {
  const { clients, grants } = parts;

  return {
    async redeemCode(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const request = await readRequest(context);
      const outcome = checkTokenRequest(request, clients);
      if (outcome.kind === "refused") return formErrorResponse(outcome);
      const token = await grants.redeem(outcome);
      return token === null
        ? errorResponse("invalid_grant")
        : jsonResponse(200, JSON.stringify(token));
    },

    async revokeToken(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const request = await readRequest(context);
      const outcome = checkRevocationRequest(request, clients);
      if (outcome.kind === "refused") return formErrorResponse(outcome);
      await grants.revokeToken(outcome.token, outcome.clientId);
      // RFC 7009 2.2: also for a token that never was. What it says is ignored, and yet clients that
      // read every answer as JSON fail on an empty one.
      return jsonResponse(200, "{}");
    },
  };
}

async function readRequest(context: RequestContext): Promise<FormRequest> {
  const rules = { mediaType: FORM_TYPE, maxBytes: MAX_TOKEN_BODY_BYTES };
  return {
    body: await readText(context, rules),
    search: context.search,
    authorization: context.header("authorization"),
  };
}
