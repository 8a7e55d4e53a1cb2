/** What all pages of a signed-in person have in common: who may see them, and how forms come in. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { redirectAnswer, type Answer } from "../../http/answer.ts";
import type { HttpProblem } from "../../http/http-problem.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import { createFormGate } from "../form-gate.ts";
import type { EventsParts } from "../parts.ts";
import type { PostedForm } from "../read-form.ts";
import { isSignedIn, type SignedInVisit } from "../visits.ts";

export interface AccountPage {
  get(input: unknown, context: RequestContext): Promise<Answer>;
  post(input: unknown, context: RequestContext): Promise<Answer | HttpProblem>;
}

/** What was done is shown by a redirect, so that a reload does not do it again. */
export type AccountAction = (visit: SignedInVisit, form: PostedForm) => Promise<Answer>;

export interface AccountPageParts {
  show(visit: SignedInVisit, context: RequestContext): Answer | Promise<Answer>;
  /** By the member `action` of the form. */
  readonly actions: Readonly<Record<string, AccountAction>>;
}

export function createAccountPage(
  parts: EventsParts,
  path: string,
  { show, actions }: AccountPageParts,
): AccountPage {
  const gate = createFormGate(parts);
  const actionsByName = new Map(Object.entries(actions));

  return {
    async get(_input, context) {
      const visit = await parts.visits.find(context, path);
      return isSignedIn(visit)
        ? show(visit, context)
        : redirectAnswer(302, EVENTS_PAGE_ROUTES.getSignInPage.path);
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
