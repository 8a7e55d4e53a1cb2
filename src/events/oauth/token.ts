import { FORM_TYPE, MAX_TOKEN_BODY_BYTES } from "../../contract/events/values.ts";
import type { HttpError } from "../../http/http-error.ts";
import { readText } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { clientNetwork } from "../../identity/client-network.ts";
import {
  checkRevocationRequest,
  checkTokenRequest,
  type FormRequest,
} from "../../rules/events/wire/token-requests.ts";
import type { EventsDependencies } from "../dependencies.ts";
import { answerFormFault, errorResponse } from "../error-response.ts";

export function createTokenHandlers(
  dependencies: Pick<EventsDependencies, "clients" | "grants" | "limiters">,
) {
  const { clients, grants } = dependencies;

  return {
    async redeemCode(_input: unknown, context: RequestContext): Promise<HttpResponse | HttpError> {
      const request = await readRequest(context);
      if (request.kind !== "read") return request;
      const result = checkTokenRequest(request, clients);
      if (result.kind === "refused") return answerFormFault(result);
      const token = await grants.redeem(result);
      return token === null
        ? errorResponse("invalid_grant")
        : jsonResponse(200, JSON.stringify(token));
    },

    async revokeToken(_input: unknown, context: RequestContext): Promise<HttpResponse | HttpError> {
      const request = await readRequest(context);
      if (request.kind !== "read") return request;
      const result = checkRevocationRequest(request, clients);
      if (result.kind === "refused") return answerFormFault(result);
      await grants.revokeToken(result.token, result.clientId);
      // RFC 7009 2.2: also for an unknown token. Some clients fail on a body that is not JSON.
      return jsonResponse(200, "{}");
    },
  };

  async function readRequest(
    context: RequestContext,
  ): Promise<(FormRequest & { readonly kind: "read" }) | HttpError> {
    const limit = await dependencies.limiters.token.consume(clientNetwork(context.clientAddress()));
    if (limit.kind === "limited") return { ...limit, kind: "rate-limited" };
    const rules = { mediaType: FORM_TYPE, maxBytes: MAX_TOKEN_BODY_BYTES };
    return {
      kind: "read",
      body: await readText(context, rules),
      search: context.search,
      authorization: context.header("authorization"),
    };
  }
}
