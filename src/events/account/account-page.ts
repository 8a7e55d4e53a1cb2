/** The pages of a signed-in person: a view, and forms that post actions to the same path. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { PostedForm, SignedInSession } from "../sign-in/page-sessions.ts";

export interface AccountPage {
  get(input: unknown, context: RequestContext): Promise<HttpResponse>;
  post(input: unknown, context: RequestContext): Promise<HttpResponse | HttpError>;
}

export interface AccountPageActions {
  show(page: SignedInSession, context: RequestContext): HttpResponse | Promise<HttpResponse>;
  /** The actions by the field `action` of the form. */
  readonly actions: Readonly<
    Record<
      string,
      (page: SignedInSession, form: PostedForm, context: RequestContext) => Promise<HttpResponse>
    >
  >;
}

export function createAccountPage(
  { sessions }: EventsDependencies,
  path: string,
  { show, actions }: AccountPageActions,
): AccountPage {
  const actionsByName = new Map(Object.entries(actions));

  return {
    async get(_input, context) {
      const page = await sessions.findPage(context, path);
      return page.session === null
        ? redirectResponse(302, EVENTS_PAGE_ROUTES.getSignInPage.path)
        : show(page, context);
    },
    async post(_input, context) {
      const verified = await sessions.verifyForm(context, path);
      if (verified.kind !== "verified") return verified.response;
      const act = actionsByName.get(verified.form.text("action"));
      return act === undefined
        ? { kind: "malformed-request" }
        : act(verified.page, verified.form, context);
    },
  };
}
