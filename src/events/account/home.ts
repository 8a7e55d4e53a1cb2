/** /, where the pages begin, and /sign-out, where they end. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { findSignIn } from "../find-sign-in.ts";
import { createFormVerifier } from "../form-gate.ts";
import type { EventsDependencies } from "../parts.ts";
import { createAccountPage } from "./account-page.ts";

const { getHomePage, signOut } = EVENTS_PAGE_ROUTES;

export function createHomeHandlers(parts: EventsDependencies) {
  const gate = createFormVerifier(parts);
  const home = createAccountPage(parts, getHomePage.path, {
    show: ({ frame }) => parts.pages.home(frame),
    actions: {},
  });

  return {
    getHomePage: home.get,
    async signOut(_input: unknown, context: RequestContext): Promise<HttpResponse | HttpError> {
      const entry = await gate(context, signOut.path);
      if (entry.kind !== "passed") return entry.answer;
      const cookie = await parts.sessions.close(context);
      const address = await findSignIn(parts, context, entry.form.text("interaction"));
      return redirectResponse(303, address, cookie);
    },
  };
}
