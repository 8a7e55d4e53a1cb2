/** POST /api/oauth/token and POST /api/oauth/revoke. */
import { FORM_TYPE, MAX_TOKEN_BODY_BYTES } from "../../contract/events/values.ts";
import { jsonAnswer, type Answer } from "../../http/answer.ts";
import type { HttpProblem } from "../../http/http-problem.ts";
import { readText } from "../../http/read-body.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { clientNetwork } from "../../identity/client-network.ts";
import { checkRevocationRequest } from "../../rules/events/wire/check-revocation-request.ts";
import { checkTokenRequest } from "../../rules/events/wire/check-token-request.ts";
import type { FormRequest } from "../../rules/events/wire/form-request.ts";
import { answerError, answerFormFault } from "../answer-problem.ts";
import type { EventsParts } from "../parts.ts";

export function createTokenHandlers(parts: Pick<EventsParts, "clients" | "grants" | "limiters">) {
  const { clients, grants } = parts;

  return {
    async redeemCode(_input: unknown, context: RequestContext): Promise<Answer | HttpProblem> {
      const request = await readRequest(context);
      if (request.kind !== "read") return request;
      const outcome = checkTokenRequest(request, clients);
      if (outcome.kind === "refused") return answerFormFault(outcome);
      const token = await grants.redeem(outcome);
      return token === null ? answerError("invalid_grant") : jsonAnswer(200, JSON.stringify(token));
    },

    async revokeToken(_input: unknown, context: RequestContext): Promise<Answer | HttpProblem> {
      const request = await readRequest(context);
      if (request.kind !== "read") return request;
      const outcome = checkRevocationRequest(request, clients);
      if (outcome.kind === "refused") return answerFormFault(outcome);
      await grants.revokeToken(outcome.token, outcome.clientId);
      // RFC 7009 2.2: also for a token that never was. What it says is ignored, and yet clients that
      // read every answer as JSON fail on an empty one.
      return jsonAnswer(200, "{}");
    },
  };

  async function readRequest(
    context: RequestContext,
  ): Promise<(FormRequest & { readonly kind: "read" }) | HttpProblem> {
    const verdict = await parts.limiters.token.consume(clientNetwork(context.clientAddress()));
    if (verdict.kind === "limited") return { ...verdict, kind: "rate-limited" };
    const rules = { mediaType: FORM_TYPE, maxBytes: MAX_TOKEN_BODY_BYTES };
    return {
      kind: "read",
      body: await readText(context, rules),
      search: context.search,
      authorization: context.header("authorization"),
    };
  }
}
