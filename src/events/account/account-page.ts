/** What all pages of a signed-in person have in common: who may see them, and how forms come in. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import { createFormVerifier } from "../form-gate.ts";
import type { EventsDependencies } from "../parts.ts";
import type { PostedForm } from "../read-form.ts";
import { isSignedIn, type SignedInSession } from "../visits.ts";

export interface AccountPage {
  get(input: unknown, context: RequestContext): Promise<HttpResponse>;
  post(input: unknown, context: RequestContext): Promise<HttpResponse | HttpError>;
}

/** What was done is shown by a redirect, so that a reload does not do it again. */
export type AccountAction = (visit: SignedInSession, form: PostedForm) => Promise<HttpResponse>;

export interface AccountPageParts {
  show(visit: SignedInSession, context: RequestContext): HttpResponse | Promise<HttpResponse>;
  /** By the member `action` of the form. */
  readonly actions: Readonly<Record<string, AccountAction>>;
}

export function createAccountPage(
  parts: EventsDependencies,
  path: string,
  { show, actions }: AccountPageParts,
): AccountPage {
  const gate = createFormVerifier(parts);
  const actionsByName = new Map(Object.entries(actions));

  return {
    async get(_input, context) {
      const visit = await parts.visits.find(context, path);
      return isSignedIn(visit)
        ? show(visit, context)
        : redirectResponse(302, EVENTS_PAGE_ROUTES.getSignInPage.path);
    },
    async post(_input, context) {
      const entry = await gate(context, path);
      if (entry.kind !== "passed") return entry.answer;
      const act = actionsByName.get(entry.form.text("action"));
      return act === undefined
        ? { kind: "malformed-request", status: 400 }
        : act(entry.visit, entry.form);
    },
  };
}

/** What the redirect after a form says was done. */
export function readNotice<const N extends string>(
  search: string,
  notices: readonly N[],
): N | null {
  const given = parseParameters(search).values.get("notice");
  return notices.find((notice) => notice === given) ?? null;
}
