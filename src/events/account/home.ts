/** /, where the pages begin, and /sign-out, where they end. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { redirectAnswer, type Answer } from "../../http/answer.ts";
import type { HttpProblem } from "../../http/http-problem.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { findSignIn } from "../find-sign-in.ts";
import { createFormGate } from "../form-gate.ts";
import type { EventsParts } from "../parts.ts";
import { createAccountPage } from "./account-page.ts";

const { getHomePage, signOut } = EVENTS_PAGE_ROUTES;

export function createHomeHandlers(parts: EventsParts) {
  const gate = createFormGate(parts);
  const home = createAccountPage(parts, getHomePage.path, {
    show: ({ frame }) => parts.pages.home(frame),
    actions: {},
  });

  return {
    getHomePage: home.get,
    async signOut(_input: unknown, context: RequestContext): Promise<Answer | HttpProblem> {
      const entry = await gate(context, signOut.path);
      if (entry.kind !== "passed") return entry.answer;
      const cookie = await parts.sessions.close(context);
      const address = await findSignIn(parts, context, entry.form.text("interaction"));
      return redirectAnswer(303, address, cookie);
    },
  };
}
