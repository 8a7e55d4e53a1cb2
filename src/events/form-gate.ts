/** What every form of a signed-in person passes before anything is done. */
import { redirectResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestContext } from "../http/request-context.ts";
import { findSignIn } from "./find-sign-in.ts";
import { isCrossSite } from "./forgery-guard.ts";
import { answerPageProblem } from "./page-problem.ts";
import type { EventsDependencies } from "./parts.ts";
import { readForm, type PostedForm } from "./read-form.ts";
import { isSignedIn, type SignedInSession } from "./visits.ts";

export type FormVerifierResult =
  | { readonly kind: "passed"; readonly form: PostedForm; readonly visit: SignedInSession }
  | { readonly kind: "signed-out"; readonly answer: HttpResponse }
  /** A form that no page of this session made. */
  | { readonly kind: "refused"; readonly answer: HttpResponse }
  | { readonly kind: "unreadable"; readonly answer: HttpError };

export function createFormVerifier(parts: EventsDependencies) {
  const { visits, guard, pages } = parts;
  return async (context: RequestContext, path: string): Promise<FormVerifierResult> => {
    const form = await readForm(context);
    if (form.kind !== "form") return { kind: "unreadable", answer: form };
    const visit = await visits.find(context, path);
    if (!isSignedIn(visit)) {
      const address = await findSignIn(parts, context, form.text("interaction"));
      return { kind: "signed-out", answer: redirectResponse(303, address) };
    }
    const { sessionHash } = visit.session;
    if (isCrossSite(context) || !guard.isSessionToken(form.text("csrf"), sessionHash)) {
      const answer = answerPageProblem(pages, 403, "csrf-failed", context, visit.frame);
      return { kind: "refused", answer };
    }
    return { kind: "passed", form, visit };
  };
}
