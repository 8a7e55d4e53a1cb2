import { promisify } from "node:util";
import { Strategy, TokenError, type StrategyActions, type StrategyRequest } from "passport-oauth2";
import type { EventList } from "../../../../src/contract/events/schemas.ts";
import { EVENTS_ROUTES } from "../../../../src/contract/events/routes.ts";
import { eventsUrl, SCOPE, type AppLibrary } from "../app-library.ts";

export const passportOauth2: AppLibrary = {
  name: "passport-oauth2",
  // It reports a denial as a failed sign-in with the description only.
  sees: { denied: "The person denied the request", replayed: "invalid_grant" },
  checksIssuer: false,
  async build({ origin, clientId, redirectUri }) {
    const strategy = new EventsStrategy(
      {
        authorizationURL: `${origin}${EVENTS_ROUTES.getAuthorizePage.path}`,
        tokenURL: `${origin}${EVENTS_ROUTES.redeemCode.path}`,
        clientID: clientId,
        // It sends a secret in any case, an empty one for a public client.
        clientSecret: "",
        callbackURL: redirectUri,
        scope: SCOPE,
        state: true,
        pkce: true,
      },
      (accessToken, _refreshToken, _profile, done) => done(null, accessToken),
    );
    return {
      async begin() {
        const session = {};
        return {
          address: await authenticate(strategy, { query: {}, session }),
          finish: ({ searchParams }) =>
            authenticate(strategy, {
              query: Object.fromEntries(searchParams),
              // It forgets an attempt at the first response; a replay needs a session that does not.
              session: structuredClone(session),
            }),
        };
      },
      readEvents: (token) => strategy.readEvents(origin, token),
      explain: (error) =>
        error instanceof TokenError
          ? error.code
          : error instanceof Error
            ? error.message
            : String(error),
    };
  },
};

class EventsStrategy extends Strategy {
  async readEvents(origin: string, accessToken: string): Promise<EventList> {
    const { _oauth2: oauth } = this;
    oauth.useAuthorizationHeaderforGET(true);
    const get = promisify(oauth.get.bind(oauth));
    return JSON.parse(String(await get(eventsUrl(origin).href, accessToken))) as EventList;
  }
}

/** Like Passport, runs a copy of the strategy. Returns the redirect or the user. */
function authenticate(strategy: Strategy, request: StrategyRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const actions: StrategyActions = {
      redirect: resolve,
      success: (user) => resolve(String(user)),
      fail: (challenge) => reject(new Error((challenge as { message: string }).message)),
      error: reject,
    };
    Object.assign(Object.create(strategy) as Strategy, actions).authenticate(request);
  });
}
