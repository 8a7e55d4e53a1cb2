/**
 * Authorization requests that wait for a person. Each has a random id that its pages carry, and
 * belongs to the browser it was begun in: the id alone is good for nothing elsewhere.
 */
import {
  INTERACTION_LIFETIME_SECONDS,
  MAX_LIVE_INTERACTIONS,
} from "../../contract/events/values.ts";
import { hashSecret } from "../../identity/one-time-secrets.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { AuthorizationRequest } from "../../rules/events/wire/check-authorization.ts";
import type { EventsReads, EventsRecords, Interaction } from "../store.ts";

type Records = Pick<EventsRecords, "interactions">;

export type PendingRequest = Omit<AuthorizationRequest, "scope"> & { readonly scope: string };

export interface Interactions {
  /** Answers its id. */
  add(records: Records, browser: string, request: AuthorizationRequest): Promise<string>;
  /** Null when there is none, its time is over, or it is another browser's. */
  find(
    records: Pick<EventsReads, "interactions">,
    browser: string,
    id: string,
  ): Promise<PendingRequest | null>;
  /** The same, and nobody gets it again. */
  take(records: Records, browser: string, id: string): Promise<PendingRequest | null>;
  /** The name of a sign-in that no app waits for. */
  createOwnId(): string;
  isOwnId(id: string): boolean;
}

const ID_BYTES = 32;
/** No id of an app's request begins so: Base64URL has no tilde. */
const OWN_PREFIX = "own~";

export function createInteractions(randomBytes: RandomBytes, now: () => number): Interactions {
  const createId = () => encodeBase64Url(randomBytes(ID_BYTES));
  const find: Interactions["find"] = async ({ interactions }, browser, id) => {
    const found = await interactions.find(hashSecret(id), now());
    return found?.bindingHash === hashSecret(browser) ? toRequest(found) : null;
  };

  return {
    async add({ interactions }, browser, { state, ...request }) {
      const id = createId();
      const createdAt = now();
      await interactions.add(
        {
          ...request,
          interactionHash: hashSecret(id),
          bindingHash: hashSecret(browser),
          // An app's state may be any text; PostgreSQL has no U+0000.
          state: state === null ? null : encodeURIComponent(state),
          createdAt,
          expiresAt: createdAt + INTERACTION_LIFETIME_SECONDS * 1000,
        },
        MAX_LIVE_INTERACTIONS,
      );
      return id;
    },
    find,
    async take(records, browser, id) {
      // Another browser's try must not use it up.
      if ((await find(records, browser, id)) === null) return null;
      const taken = await records.interactions.take(hashSecret(id), now());
      return taken === null ? null : toRequest(taken);
    },
    createOwnId: () => OWN_PREFIX + createId(),
    isOwnId: (id) => id.startsWith(OWN_PREFIX),
  };
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
