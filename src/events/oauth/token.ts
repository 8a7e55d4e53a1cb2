import { FORM_TYPE, MAX_TOKEN_BODY_BYTES } from "../../contract/events/values.ts";
import { readText } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import {
  checkRevocationRequest,
  checkTokenRequest,
  type FormRequest,
} from "../../rules/events/wire/token-requests.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { formErrorResponse, errorResponse } from "../responses/error-response.ts";

export function createTokenHandlers({ clients, grants }: EventsDependencies) {
  return {
    async redeemCode(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const request = await readRequest(context);
      const result = checkTokenRequest(request, clients);
      if (result.kind === "refused") return formErrorResponse(result);
      const token = await grants.redeem(result, context.clientAddress());
      return token === null
        ? errorResponse("invalid_grant")
        : jsonResponse(200, JSON.stringify(token));
    },

    async revokeToken(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const request = await readRequest(context);
      const result = checkRevocationRequest(request, clients);
      if (result.kind === "refused") return formErrorResponse(result);
      await grants.revokeToken(result.token, result.clientId);
      // RFC 7009 2.2: also for an unknown token. Some clients fail on a body that is not JSON.
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
