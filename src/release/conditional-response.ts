/** The two responses that most handlers end with. */
import { chooseResponse, type ConditionalResponse } from "../http/conditional.ts";
import type { RequestContext } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { errorResponse } from "./error-response.ts";

export function conditional(response: ConditionalResponse, context: RequestContext): HttpResponse {
  return chooseResponse(response, context.header("if-none-match"));
}

export function noRelease({ requestId }: RequestContext): HttpResponse {
  return errorResponse("release_not_found", requestId);
}
