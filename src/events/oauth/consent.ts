/** /consent: where a person allows or denies what an app asks. A code is made here and nowhere else. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../../http/response.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { parseParameters } from "../../rules/events/wire/parse-parameters.ts";
import { codeAddress, errorAddress } from "../../rules/events/wire/redirect-address.ts";
import { signInAddress } from "../addresses.ts";
import { errorResponse } from "../error-response.ts";
import type { EventsDependencies } from "../parts.ts";
import { createFormVerifier } from "../form-gate.ts";
import { answerPageProblem } from "../page-problem.ts";
import type { EventsRecords } from "../store.ts";
import { isSignedIn } from "../visits.ts";

const PATH = EVENTS_PAGE_ROUTES.getConsentPage.path;
const DENIED = "The person denied the request";

export function createConsentHandlers(parts: EventsDependencies) {
  const { store, clients, cookies, interactions, issuer, visits, pages } = parts;
  const gate = createFormVerifier(parts);

  return {
    async getConsentPage(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const visit = await visits.find(context, PATH);
      const interaction = parseParameters(context.search).values.get("interaction") ?? "";
      const browser = cookies.read(context, "browser") ?? "";
      const request = await interactions.find(store.reads, browser, interaction);
      const client = clients.find(({ id }) => id === request?.clientId);
      if (request === null || client === undefined) {
        return answerPageProblem(pages, 400, "interaction-gone", context, visit.frame);
      }
      if (!isSignedIn(visit)) return redirectResponse(302, signInAddress(interaction));
      const { redirectUri } = request;
      return pages.consent(
        {
          interaction,
          csrf: visit.csrf,
          username: visit.session.username,
          appName: client.name,
          redirectUri,
          delivery: /^https?:/i.test(redirectUri) ? "http" : "scheme",
        },
        visit.frame,
      );
    },

    async decideConsent(
      _input: unknown,
      context: RequestContext,
    ): Promise<HttpResponse | HttpError> {
      const wantsJson = (context.header("accept") ?? "").includes("application/json");
      const entry = await gate(context, PATH);
      if (entry.kind !== "passed") {
        if (!wantsJson || entry.kind === "unreadable") return entry.answer;
        return errorResponse(entry.kind === "refused" ? "csrf_failed" : "authentication_failed");
      }
      const { form, visit } = entry;
      const action = form.text("action");
      if (action !== "allow" && action !== "deny") {
        return { kind: "malformed-request", status: 400 };
      }
      const browser = cookies.read(context, "browser") ?? "";
      const location = await store.transaction((records) =>
        decide(records, browser, form.text("interaction"), action, visit.session.accountId),
      );
      if (location === null) {
        return wantsJson
          ? errorResponse("interaction_expired")
          : answerPageProblem(pages, 400, "interaction-gone", context, visit.frame);
      }
      return wantsJson
        ? jsonResponse(200, JSON.stringify({ redirectUri: location }))
        : redirectResponse(303, location);
    },
  };

  /** Where the browser goes; null when there is nothing to decide any more. */
  async function decide(
    records: EventsRecords,
    browser: string,
    interaction: string,
    action: "allow" | "deny",
    accountId: string,
  ): Promise<string | null> {
    const request = await interactions.take(records, browser, interaction);
    if (request === null || !clients.some(({ id }) => id === request.clientId)) return null;
    const { redirectUri, state } = request;
    if (action === "deny") {
      const error = { error: "access_denied", description: DENIED } as const;
      return errorAddress({ ...error, redirectUri, state, issuer });
    }
    const code = await parts.grants.issueCode(records, accountId, request);
    return codeAddress({ code, redirectUri, state, issuer });
  }
}
