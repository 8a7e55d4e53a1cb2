/** A page that says what went wrong. */
import type { HttpResponse } from "../http/response.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { EventsPages, PageFrame, ErrorView } from "./pages.ts";

export function answerPageProblem(
  pages: EventsPages,
  status: number,
  code: ErrorView["code"],
  { requestId }: Pick<RequestContext, "requestId">,
  frame: PageFrame,
): HttpResponse {
  return pages.error({ status, code, retryAfterSeconds: null, requestId }, frame);
}
