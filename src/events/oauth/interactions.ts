/** Pending authorization requests. Each has a random id, and is bound to the browser that began it. */
import { EVENTS_PAGE_ROUTES } from "../../contract/events/page-routes.ts";
import {
  INTERACTION_LIFETIME_SECONDS,
  MAX_LIVE_INTERACTIONS,
} from "../../contract/events/values.ts";
import { hashSecret } from "../../identity/one-time-secrets.ts";
import { createSecret } from "../../rules/create-secret.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { AuthorizationRequest } from "../../rules/events/wire/authorization.ts";
import type { EventsReads, EventsRecords, EventsStore, Interaction } from "../store.ts";

export type PendingRequest = Omit<AuthorizationRequest, "scope"> & { readonly scope: string };

export type Interactions = ReturnType<typeof createInteractions>;

/** A person who must sign in again to change the settings comes back to them. */
export type OwnPage = "home" | "settings";

const { getHomePage, getSettingsPage, getSignInPage, getConsentPage } = EVENTS_PAGE_ROUTES;
/** Base64URL has no tilde, so no other id begins so. */
const OWN_PREFIX = "own~";

export function createInteractions(
  store: EventsStore,
  randomBytes: RandomBytes,
  now: () => number,
) {
  /** Null when there is none, it has expired, or another browser began it. */
  const find = async (
    browser: string,
    id: string,
    records: Pick<EventsReads, "interactions"> = store.reads,
  ): Promise<PendingRequest | null> => {
    const found = await records.interactions.find(hashSecret(id), now());
    return found?.bindingHash === hashSecret(browser) ? toRequest(found) : null;
  };

  return {
    async add(browser: string, { state, ...request }: AuthorizationRequest): Promise<string> {
      const id = createSecret(randomBytes);
      const createdAt = now();
      const interaction = {
        ...request,
        interactionHash: hashSecret(id),
        bindingHash: hashSecret(browser),
        // The state may be any text, and PostgreSQL has no U+0000.
        state: state === null ? null : encodeURIComponent(state),
        createdAt,
        expiresAt: createdAt + INTERACTION_LIFETIME_SECONDS * 1000,
      };
      await store.transaction(({ interactions }) =>
        interactions.add(interaction, MAX_LIVE_INTERACTIONS),
      );
      return id;
    },
    find,
    async take(
      browser: string,
      id: string,
      records: Pick<EventsRecords, "interactions">,
    ): Promise<PendingRequest | null> {
      // An attempt of another browser must not remove it.
      if ((await find(browser, id, records)) === null) return null;
      const taken = await records.interactions.take(hashSecret(id), now());
      return taken === null ? null : toRequest(taken);
    },
    /** The id of a sign-in without an app, which leads to this page. */
    createOwnId: (page: OwnPage) => `${OWN_PREFIX}${page}~${createSecret(randomBytes)}`,
    findSignInPath: async (browser: string, id: string) =>
      (await find(browser, id)) === null ? getSignInPage.path : signInPath(id),
  };
}

/** The path of the page that a sign-in without an app leads to; null for the id of an app's request. */
export function findOwnPath(id: string): string | null {
  if (!id.startsWith(OWN_PREFIX)) return null;
  return id.startsWith(`${OWN_PREFIX}settings~`) ? getSettingsPage.path : getHomePage.path;
}

/** Ids are Base64URL and need no escaping. */
export function signInPath(interaction: string): string {
  return `${getSignInPage.path}?interaction=${interaction}`;
}

export function consentPath(interaction: string): string {
  return `${getConsentPage.path}?interaction=${interaction}`;
}

function toRequest(interaction: Interaction): PendingRequest {
  const { clientId, redirectUri, state, codeChallenge, scope } = interaction;
  return {
    clientId,
    redirectUri,
    state: state === null ? null : decodeURIComponent(state),
    codeChallenge,
    scope,
  };
}
