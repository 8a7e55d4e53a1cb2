/** Sign-in by password proof, and sign-out. */
import { EVENTS_PAGE_ROUTES } from "../contract/events/page-routes.ts";
import type {
  ProofAccepted,
  ProofChallenge,
  SignInBody,
  SignInComplete,
} from "../contract/events/schemas.ts";
import { LOGIN_PURPOSE } from "../contract/events/values.ts";
import type { HttpError } from "../http/http-error.ts";
import { isOpenedElsewhere } from "../http/opened-elsewhere.ts";
import type { RequestContext } from "../http/request.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../http/response.ts";
import { clientShares, identifyBefore } from "../identity/known-browsers.ts";
import type { NoteSecurityEvent } from "../identity/security-log.ts";
import type { BeginResult, SignInResult } from "../identity/sign-in.ts";
import { parseParameters } from "../rules/events/wire/parse-parameters.ts";
import { parseUsername } from "../rules/identity/grammar.ts";
import { isCrossSite } from "../identity/csrf.ts";
import type { EventsDependencies } from "./dependencies.ts";
import { errorResponse } from "./error-response.ts";
import { consentPath } from "./oauth/interactions.ts";
import { errorPage, isSignedIn } from "./page-session.ts";
import { verifyForm } from "./verify-form.ts";

const { getHomePage, getSignInPage, signOut } = EVENTS_PAGE_ROUTES;

type SignInContext = RequestContext<undefined, { readonly value: SignInBody }>;

export function createSignInHandlers(dependencies: EventsDependencies) {
  const { store, security, clients, csrf, interactions, sessions, signIn, now } = dependencies;
  const { pageSessions, pages, issuer, onNotice } = dependencies;

  return {
    async getSignInPage(_input: unknown, context: RequestContext): Promise<HttpResponse> {
      const page = await pageSessions.find(context, getSignInPage.path);
      const given = parseParameters(context.search).values.get("interaction");
      const { browser, cookies } = sessions.ensureBrowser(context);
      const app = given === undefined ? null : await findApp(browser, given);
      if (app === undefined) {
        return errorPage(pages, 400, "interaction-gone", context, page.frame);
      }
      if (isSignedIn(page)) {
        return redirectResponse(302, given === undefined ? getHomePage.path : consentPath(given));
      }
      if (isOpenedElsewhere(context, issuer)) {
        onNotice({ kind: "opened-elsewhere", requestId: context.requestId });
      }
      const interaction = given ?? interactions.createOwnId();
      const response = pages.signIn(
        {
          origin: issuer,
          interaction,
          csrf: csrf.signInToken(browser, interaction),
          purpose: LOGIN_PURPOSE,
          appName: app?.name ?? null,
        },
        page.frame,
      );
      return { ...response, cookies };
    },

    async signIn(_input: unknown, context: SignInContext): Promise<HttpResponse | HttpError> {
      const body = context.content.value;
      const browser = sessions.readBrowser(context);
      const interaction =
        browser === "" || isCrossSite(context) ? null : csrf.readSignInToken(body.csrf, browser);
      if (interaction === null) return errorResponse("csrf_failed");
      return body.action === "begin"
        ? begin(body.username, interaction, browser, context)
        : complete(body, interaction, context);
    },

    async signOut(_input: unknown, context: RequestContext): Promise<HttpResponse | HttpError> {
      const verified = await verifyForm(dependencies, context, signOut.path);
      if (verified.kind !== "verified") return verified.response;
      const cookie = await sessions.close(context);
      const location = await interactions.findSignInPath(
        sessions.readBrowser(context),
        verified.form.text("interaction"),
      );
      return { ...redirectResponse(303, location), cookies: [cookie] };
    },
  };

  /** Undefined when the interaction is gone, or another browser began it. */
  async function findApp(browser: string, interaction: string) {
    const request = await interactions.find(browser, interaction);
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
    const client = await identifyBefore(
      store,
      { username, ...sessions.readSignInOrigin(context) },
      now(),
    );
    const limit = await dependencies.limiters.signIn.consumeEach(clientShares(client));
    if (limit.kind === "limited") return { ...limit, kind: "rate-limited" };
    return store.transaction(async (records) => {
      const isLive =
        interactions.isOwnId(interaction) ||
        (await interactions.find(browser, interaction, records)) !== null;
      if (!isLive) return errorResponse("interaction_expired");
      const request = { username, attempt: { interaction }, client };
      return challengeResponse(await signIn.begin(records.identity, request, now()));
    });
  }

  function complete(
    { challengeId, clientNonce, proof }: SignInComplete,
    interaction: string,
    context: SignInContext,
  ): Promise<HttpResponse | HttpError> {
    const claimed = { interaction };
    const request = {
      challengeId,
      clientNonce,
      proof,
      claimed,
      ...sessions.readSignInOrigin(context),
    };
    return security.transaction(async (records, note) => {
      const result = await signIn.complete(records.identity, request, now());
      if (result.kind !== "proved") return proofErrorResponse(result, request.address, note);
      if (!result.isKnownBrowser) await note("new-device", request.address);
      const cookies = await sessions.open(records, result.accountId, context);
      const accepted: ProofAccepted = {
        serverSignature: result.serverSignature,
        next: interactions.isOwnId(interaction) ? getHomePage.path : consentPath(interaction),
      };
      return { ...jsonResponse(200, JSON.stringify(accepted)), cookies };
    });
  }
}

/** The response to a password proof that failed, or that must wait. */
export async function proofErrorResponse(
  result: Exclude<SignInResult, { kind: "proved" }>,
  address: string,
  note: NoteSecurityEvent,
): Promise<HttpResponse | HttpError> {
  if (result.kind === "throttled") return { ...result, kind: "rate-limited" };
  if (result.beginsThrottling) await note("throttling-begun", address);
  return errorResponse("authentication_failed");
}

/** The response to the begin of a password proof. */
export function challengeResponse(result: BeginResult): HttpResponse | HttpError {
  if (result.kind === "throttled") return { ...result, kind: "rate-limited" };
  const { expiresAt, ...challenge } = result.challenge;
  const body: ProofChallenge = { ...challenge, expiresAt: new Date(expiresAt).toISOString() };
  return jsonResponse(200, JSON.stringify(body));
}
