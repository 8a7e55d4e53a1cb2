/** What every form of a signed-in person passes before anything is done. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import { redirectAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/http-problem.ts";
import type { RequestContext } from "../http/request-context.ts";
import { isFromElsewhere } from "./forgery-guard.ts";
import { answerPageProblem } from "./page-problem.ts";
import type { EventsParts } from "./parts.ts";
import { readForm, type PostedForm } from "./read-form.ts";
import { isSignedIn, type SignedInVisit } from "./visits.ts";

export type GateOutcome =
  | { readonly kind: "passed"; readonly form: PostedForm; readonly visit: SignedInVisit }
  /** No session, or a form that no page of this session made. */
  | { readonly kind: "refused"; readonly answer: Answer }
  | { readonly kind: "unreadable"; readonly answer: HttpProblem };

export function createFormGate({
  visits,
  guard,
  pages,
}: Pick<EventsParts, "visits" | "guard" | "pages">) {
  return async (context: RequestContext, path: string): Promise<GateOutcome> => {
    const form = await readForm(context);
    if (form.kind !== "form") return { kind: "unreadable", answer: form };
    const visit = await visits.find(context, path);
    if (!isSignedIn(visit)) {
      const answer = redirectAnswer(303, EVENTS_PAGE_ROUTES.getSignInPage.path);
      return { kind: "refused", answer };
    }
    const { sessionHash } = visit.session;
    if (isFromElsewhere(context) || !guard.isSessionToken(form.text("csrf"), sessionHash)) {
      const answer = answerPageProblem(pages, 403, "csrf-failed", context, visit.frame);
      return { kind: "refused", answer };
    }
    return { kind: "passed", form, visit };
  };
}
