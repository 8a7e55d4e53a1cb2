/** A page that says what went wrong. */
import type { Answer } from "../http/answer.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { EventsPages, PageFrame, ProblemView } from "./pages.ts";

export function answerPageProblem(
  pages: EventsPages,
  status: number,
  code: ProblemView["code"],
  { requestId }: Pick<RequestContext, "requestId">,
  frame: PageFrame,
): Answer {
  return pages.problem({ status, code, retryAfterSeconds: null, requestId }, frame);
}
