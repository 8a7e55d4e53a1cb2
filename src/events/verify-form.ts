/** Reads a form of a signed-in session, and checks its CSRF token. */
import { FORM_TYPE, MAX_PAGE_BODY_BYTES } from "../contract/events/values.ts";
import type { HttpError } from "../http/http-error.ts";
import { readText } from "../http/read-body.ts";
import type { RequestContext } from "../http/request.ts";
import { redirectResponse, type HttpResponse } from "../http/response.ts";
import { parseParameters } from "../rules/events/wire/parse-parameters.ts";
import { isCrossSite } from "../identity/csrf.ts";
import type { EventsDependencies } from "./dependencies.ts";
import { errorPage, isSignedIn, type SignedInSession } from "./page-session.ts";

export interface PostedForm {
  /** The value of a field, or an empty text. */
  text(name: string): string;
}

export type VerifiedForm =
  | { readonly kind: "verified"; readonly form: PostedForm; readonly page: SignedInSession }
  | { readonly kind: "signed-out" | "csrf-failed"; readonly response: HttpResponse }
  | { readonly kind: "unreadable"; readonly response: HttpError };

export async function verifyForm(
  { sessions, pageSessions, interactions, csrf, pages }: EventsDependencies,
  context: RequestContext,
  path: string,
): Promise<VerifiedForm> {
  const body = await readText(context, { mediaType: FORM_TYPE, maxBytes: MAX_PAGE_BODY_BYTES });
  if (body.kind !== "text") return { kind: "unreadable", response: body };
  const { values, repeated, malformed } = parseParameters(body.text);
  if (repeated.size + malformed.size > 0) {
    return { kind: "unreadable", response: { kind: "malformed-request", status: 400 } };
  }
  const form: PostedForm = { text: (name) => values.get(name) ?? "" };
  const page = await pageSessions.find(context, path);
  if (!isSignedIn(page)) {
    const browser = sessions.readBrowser(context);
    const location = await interactions.findSignInPath(browser, form.text("interaction"));
    return { kind: "signed-out", response: redirectResponse(303, location) };
  }
  if (isCrossSite(context) || !csrf.isSessionToken(form.text("csrf"), page.session.sessionHash)) {
    const response = errorPage(pages, 403, "csrf-failed", context, page.frame);
    return { kind: "csrf-failed", response };
  }
  return { kind: "verified", form, page };
}
