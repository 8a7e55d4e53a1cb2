/** The requests of a sign-in by password or passkey, to the login page of sync and to pages with browser sessions. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import type { LoginAttempt } from "../../contract/sync/page-views.ts";
import { appendToRedirect, type Delivery } from "../../rules/identity/redirect.ts";
import { createPasskeyRequests } from "../passkey/requests.ts";
import { isLocalPath, postJson, type PostOptions, type PostResponse } from "./post.ts";
import {
  readChallenge,
  type SignInData,
  type SignInPageData,
  type SignInRequests,
} from "./sign-in.ts";

/** Where a browser keeps the value by which a service knows it: in the page's storage, or in a cookie. */
export type KnownBrowserPlace = "storage" | "cookie";

export interface LoginRequestSettings {
  readonly endpoint: string;
  /** The header that repeats the state, for example `X-Service-CSRF`. */
  readonly csrfHeader: string;
  readonly attempt: LoginAttempt;
  readonly delivery: Delivery;
}

export function createLoginRequests(
  { endpoint, csrfHeader, attempt, delivery }: LoginRequestSettings,
  knownBrowserPlace: KnownBrowserPlace,
): SignInRequests {
  const { state, redirectUri } = attempt;
  return createProofRequests({
    endpoint,
    csrf: state,
    options: { credentials: "omit", headers: { [csrfHeader]: state } },
    knownBrowserPlace,
    begin: (username) => ({ attempt: { username, ...attempt } }),
    complete: () => ({}),
    passkey: { attempt },
    readTarget: ({ code }) =>
      typeof code === "string" ? appendToRedirect(redirectUri, { code, state }, delivery) : null,
  });
}

export interface SessionData extends SignInData {
  readonly endpoint: string;
  readonly csrf: string;
}

export type SessionSignInData = SessionData & SignInPageData;

/** Further members of the two requests. */
export interface SessionMembers {
  begin(username: string): object;
  complete(): object;
}

export function createSessionRequests(
  { endpoint, csrf }: SessionData,
  members: SessionMembers,
  knownBrowserPlace: KnownBrowserPlace,
): SignInRequests {
  return createProofRequests({
    ...members,
    endpoint,
    csrf,
    options: { credentials: "same-origin" },
    knownBrowserPlace,
    passkey: {},
    readTarget: ({ next }) => (typeof next === "string" && isLocalPath(next) ? next : null),
  });
}

interface ProofRequestSettings extends SessionMembers {
  readonly endpoint: string;
  readonly csrf: string;
  readonly options: PostOptions;
  readonly knownBrowserPlace: KnownBrowserPlace;
  /** Further members of the two requests with a passkey. */
  readonly passkey: object;
  /** Reads where the browser goes after a valid proof; null for a response that does not say so. */
  readTarget(body: PostResponse["body"]): string | null;
}

function createProofRequests(settings: ProofRequestSettings): SignInRequests {
  const { endpoint, csrf, options } = settings;
  const isInStorage = settings.knownBrowserPlace === "storage";
  const post = (body: object, to = endpoint) => {
    const known = isInStorage ? readKnownBrowser() : null;
    const headers = {
      ...options.headers,
      ...(known !== null && { [KNOWN_BROWSER_HEADER]: known }),
    };
    return postJson(to, { ...body, csrf }, { ...options, headers });
  };
  const rememberBrowser = ({ header }: PostResponse) => {
    const known = header(KNOWN_BROWSER_HEADER);
    if (isInStorage && known !== null) writeKnownBrowser(known);
  };
  return {
    async begin(username) {
      const response = await post({ action: "begin", ...settings.begin(username) });
      return response.kind === "json" ? readChallenge(response) : response;
    },
    async complete(challengeId, { clientNonce, proof }) {
      const own = { action: "complete", challengeId, clientNonce, proof };
      const response = await post({ ...own, ...settings.complete() });
      if (response.kind !== "json") return response;
      const { serverSignature } = response.body;
      const target = settings.readTarget(response.body);
      if (target === null || typeof serverSignature !== "string") {
        return { kind: "unexpected", reference: response.reference };
      }
      const onVerified = () => rememberBrowser(response);
      return { kind: "completed", serverSignature, target, onVerified };
    },
    passkey: (to) =>
      createPasskeyRequests({
        post: (body) => post({ ...settings.passkey, ...body }, to),
        onAccepted(response) {
          rememberBrowser(response);
          return settings.readTarget(response.body);
        },
      }),
  };
}

/** The value by which a service knows this browser, in the storage of the page's origin. */
const KNOWN_BROWSER_KEY = "trellis-known-browser";

/** Null when there is none, or the browser denies the storage. */
export function readKnownBrowser(): string | null {
  try {
    return localStorage.getItem(KNOWN_BROWSER_KEY);
  } catch {
    return null;
  }
}

export function writeKnownBrowser(value: string): void {
  try {
    localStorage.setItem(KNOWN_BROWSER_KEY, value);
  } catch {
    // A browser without the stored value signs in like that of a stranger.
  }
}
