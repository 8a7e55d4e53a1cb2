/** What every form of a signed-in person passes before anything is done. */
import { redirectAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/http-problem.ts";
import type { RequestContext } from "../http/request-context.ts";
import { findSignIn } from "./find-sign-in.ts";
import { isFromElsewhere } from "./forgery-guard.ts";
import { answerPageProblem } from "./page-problem.ts";
import type { EventsParts } from "./parts.ts";
import { readForm, type PostedForm } from "./read-form.ts";
import { isSignedIn, type SignedInVisit } from "./visits.ts";

export type GateOutcome =
  | { readonly kind: "passed"; readonly form: PostedForm; readonly visit: SignedInVisit }
  | { readonly kind: "signed-out"; readonly answer: Answer }
  /** A form that no page of this session made. */
  | { readonly kind: "refused"; readonly answer: Answer }
  | { readonly kind: "unreadable"; readonly answer: HttpProblem };

export function createFormGate(parts: EventsParts) {
  const { visits, guard, pages } = parts;
  return async (context: RequestContext, path: string): Promise<GateOutcome> => {
    const form = await readForm(context);
    if (form.kind !== "form") return { kind: "unreadable", answer: form };
    const visit = await visits.find(context, path);
    if (!isSignedIn(visit)) {
      const address = await findSignIn(parts, context, form.text("interaction"));
      return { kind: "signed-out", answer: redirectAnswer(303, address) };
    }
    const { sessionHash } = visit.session;
    if (isFromElsewhere(context) || !guard.isSessionToken(form.text("csrf"), sessionHash)) {
      const answer = answerPageProblem(pages, 403, "csrf-failed", context, visit.frame);
      return { kind: "refused", answer };
    }
    return { kind: "passed", form, visit };
  };
}
