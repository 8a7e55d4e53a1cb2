/** /sign-in: a person proves their password, and their browser gets a session. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import type { ProofAccepted, SignInBody, SignInComplete } from "../contract/events/schemas.ts";
import { LOGIN_PURPOSE } from "../contract/events/values.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestContext } from "../http/request-context.ts";
import { parseParameters } from "../rules/events/wire/parse-parameters.ts";
import { parseUsername } from "../rules/identity/grammar.ts";
import { consentAddress } from "./addresses.ts";
import { errorResponse } from "./error-response.ts";
import { answerChallenge } from "./answer-challenge.ts";
import { isCrossSite } from "./forgery-guard.ts";
import { nameBrowser } from "./name-browser.ts";
import { answerPageProblem } from "./page-problem.ts";
import type { EventsDependencies } from "./parts.ts";
import { isSignedIn } from "./visits.ts";

const PATH = EVENTS_PAGE_ROUTES.getSignInPage.path;
const HOME = EVENTS_PAGE_ROUTES.getHomePage.path;

type SignInContext = RequestContext<undefined, { readonly value: SignInBody }>;

export function createSignInHandlers(parts: EventsDependencies) {
  const { store, clients, cookies, guard, interactions, visits, pages, signIn, now } = parts;

  return {
    async getSignInPage(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const visit = await visits.find(context, PATH);
      const asked = parseParameters(context.search).values.get("interaction");
      const { browser, headers } = nameBrowser(parts, context);
      const app = asked === undefined ? null : await findApp(browser, asked);
      if (app === undefined) {
        return answerPageProblem(pages, 400, "interaction-gone", context, visit.frame);
      }
      if (isSignedIn(visit)) {
        return redirectResponse(302, asked === undefined ? HOME : consentAddress(asked));
      }
      const interaction = asked ?? interactions.createOwnId();
      const page = pages.signIn(
        {
          interaction,
          csrf: guard.signInToken(browser, interaction),
          purpose: LOGIN_PURPOSE,
          appName: app?.name ?? null,
        },
        visit.frame,
      );
      return { ...page, headers: { ...page.headers, ...headers } };
    },

    async signIn(_input: unknown, context: SignInContext): Promise<HttpResponse | HttpError> {
      const body = context.content.value;
      const browser = cookies.read(context, "browser");
      const interaction =
        browser === null || isCrossSite(context) ? null : guard.readSignInToken(body.csrf, browser);
      if (browser === null || interaction === null) return errorResponse("csrf_failed");
      return body.action === "begin"
        ? begin(body.username, interaction, browser, context)
        : complete(body, interaction, context);
    },
  };

  /** The app that waits; undefined when the interaction is gone, or another browser's. */
  async function findApp(browser: string, interaction: string) {
    const request = await interactions.find(store.reads, browser, interaction);
    return clients.find(({ id }) => id === request?.clientId);
  }

  async function begin(
    name: string,
    interaction: string,
    browser: string,
    context: SignInContext,
  ): Promise<HttpResponse | HttpError> {
    const username = parseUsername(name);
    if (username === null) return errorResponse("invalid_request");
    const address = context.clientAddress();
    // Each begin writes a challenge, and the oldest are dropped: a flood would drop those of others.
    const result = await parts.limiters.signIn.consume(address);
    if (result.kind === "limited") return { ...result, kind: "rate-limited" };
    return store.transaction(async (records) => {
      const isAlive =
        interactions.isOwnId(interaction) ||
        (await interactions.find(records, browser, interaction)) !== null;
      if (!isAlive) return errorResponse("interaction_expired");
      const request = { username, attempt: { interaction }, address };
      return answerChallenge(await signIn.begin(records.identity, request, now()));
    });
  }

  function complete(
    { challengeId, clientNonce, proof }: SignInComplete,
    interaction: string,
    context: SignInContext,
  ): Promise<HttpResponse | HttpError> {
    const address = context.clientAddress();
    const request = { challengeId, clientNonce, proof, claimed: { interaction }, address };
    return store.transaction(async (records) => {
      const outcome = await signIn.complete(records.identity, request, now());
      if (outcome.kind === "throttled") return { ...outcome, kind: "rate-limited" };
      if (outcome.kind === "failed") return errorResponse("authentication_failed");
      const cookie = await parts.sessions.open(records, outcome.accountId, context);
      const accepted: ProofAccepted = {
        serverSignature: outcome.serverSignature,
        next: interactions.isOwnId(interaction) ? HOME : consentAddress(interaction),
      };
      return jsonResponse(200, JSON.stringify(accepted), cookie);
    });
  }
}
