/** GET /api/events: all events, or those that changed since a moment. */
import { FORM_TYPE, MAX_TOKEN_BODY_BYTES, SCOPE } from "../../contract/events/values.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { readText } from "../../http/read-body.ts";
import type { RawRequest, RequestContext } from "../../http/request.ts";
import type { AuthenticationResult } from "../../http/service-hooks.ts";
import { splitTarget } from "../../http/target.ts";
import { bearerChallenge, readBearer, type BearerError } from "../../rules/events/wire/bearer.ts";
import { upcomingFrom } from "../../rules/events/wire/full-order.ts";
import { createListResponse } from "../../rules/events/wire/list-response.ts";
import {
  carriesAccessToken,
  parseListQuery,
  type ListQuery,
} from "../../rules/events/wire/parse-list-query.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { Grants } from "./grants.ts";
import type { Grant } from "../store.ts";

/** RFC 6750 3.1. The order of the checks is the order of the lines. */
export async function authenticateBearer(
  grants: Grants,
  request: RawRequest,
): Promise<AuthenticationResult<Grant>> {
  const { search } = splitTarget(request.target);
  if (carriesAccessToken(parseParameters(search)) || (await hasTokenInForm(request))) {
    return refuse("invalid_request");
  }
  const bearer = readBearer(request.header("authorization"));
  if (bearer.kind === "none") return NO_CREDENTIALS;
  if (bearer.kind === "malformed") return refuse("invalid_request");
  const grant = await grants.find(bearer.token);
  if (grant === null) return refuse("invalid_token");
  if (!grant.scope.split(" ").includes(SCOPE)) return refuse("insufficient_scope");
  return { kind: "authenticated", principal: grant };
}

export function createListHandler({ store, grants, issuer, now }: EventsDependencies) {
  return async (_input: unknown, context: RequestContext<Grant>): Promise<HttpResponse> => {
    const grant = context.principal;
    const parsed = parseListQuery(parseParameters(context.search));
    if (parsed.kind === "refused") {
      return errorResponse("invalid_request", { description: parsed.description });
    }
    const at = now();
    if (context.method !== "HEAD") await grants.touch(grant);
    const page = await readPage(grant.accountId, parsed.query, at);
    const { body, link } = createListResponse(page, parsed.query, at, issuer);
    return jsonResponse(200, body, {
      "Cache-Control": "private, no-store",
      ...(link !== null && { Link: link }),
    });
  };

  function readPage(accountId: string, query: ListQuery, at: number) {
    const { limit, updatedSince, includeDeleted } = query;
    return updatedSince === null
      ? store.events.listAll(accountId, upcomingFrom(at), limit)
      : store.events.listChanges(accountId, updatedSince, limit, includeDeleted);
  }
}

/** RFC 6750 3.1: a request without credentials gets a challenge without an error. */
const NO_CREDENTIALS: HttpResponse = {
  status: 401,
  headers: { "WWW-Authenticate": bearerChallenge(null), "Content-Length": "0" },
  body: null,
};

function refuse(error: BearerError): HttpResponse {
  return errorResponse(error, { headers: { "WWW-Authenticate": bearerChallenge(error) } });
}

/** RFC 6750 2.2 is not offered. */
async function hasTokenInForm(request: RawRequest): Promise<boolean> {
  if (request.header("content-type") === null) return false;
  const rules = { mediaType: FORM_TYPE, maxBytes: MAX_TOKEN_BODY_BYTES };
  const body = await readText(request, rules);
  return body.kind === "text" && carriesAccessToken(parseParameters(body.text));
}
