/** The events service under test: how it is asked, and how the run gets what needs a person. */
import { NotTestable, ViolationError, type ConformanceCase } from "../case.ts";
import { violate } from "../expect.ts";
import { hideSecrets } from "../hide-secrets.ts";
import type { HttpResponse, HttpClient, Origin, RequestHeaders } from "../http.ts";
import {
  authorizePath,
  encodeFields,
  newAttempt,
  readReturn,
  type Attempt,
  type Fields,
} from "./authorize.ts";
import { expectAnyToken } from "./bodies.ts";
import { createBrowser, pathOfRedirect, readConsentPage, type Browser } from "./browser.ts";
import { DEFAULT_REDIRECT_URI, type EventsInput, type EventsLevel } from "./input.ts";
import { waitForLimits } from "./patience.ts";

export interface EventsCase extends ConformanceCase<EventsTarget> {
  /** Whether every compatible service must keep it, or those that promise what Trellis does. */
  readonly level: EventsLevel;
}

/** What came of an authorization: where the browser was sent, and with what. */
export interface Arrival {
  readonly attempt: Attempt;
  readonly address: string;
  readonly returned: URLSearchParams;
}

/** The fields of a token request that is right. */
export type TokenFields = Readonly<Record<string, string>>;

export interface EventsTarget {
  readonly input: EventsInput;
  readonly api: Origin;
  /** The base URL that the service is set up with, without a final slash. */
  readonly publicUrl: string;
  readonly redirectUri: string;
  clientId(): string;
  /** A browser at the pages of Trellis, that nobody is signed in at. */
  newBrowser(): Browser;
  account(): { readonly username: string; readonly password: string };
  /** The browser that all cases share, signed in. */
  signedIn(): Promise<Browser>;
  /** An authorization that all cases share; its code is redeemed by `redeemed`. */
  arrival(): Promise<Arrival>;
  /** The answer to the one redemption of the shared code. */
  redeemed(): Promise<HttpResponse>;
  /** A token that all cases share and none revokes: the one given, or that of the shared code. */
  token(): Promise<string>;
  /** A code of the case's own, as the fields that would redeem it. */
  newGrant(): Promise<TokenFields>;
  postForm(path: string, fields: Fields | string, headers?: RequestHeaders): Promise<HttpResponse>;
  redeem(fields: Fields): Promise<HttpResponse>;
  /** Asks for events with the shared token. */
  list(query: string, headers?: RequestHeaders): Promise<HttpResponse>;
  /** Gives back the tokens that the run was given, as far as the service lets it. */
  cleanUp(): Promise<void>;
}

export const TOKEN = "/api/oauth/token";
export const REVOKE = "/api/oauth/revoke";
export const EVENTS = "/api/events";
export const FORM: RequestHeaders = { "Content-Type": "application/x-www-form-urlencoded" };

const NO_CLIENT = "No client is known; name one of the service's with --client-id";
const NO_PERSON =
  "Nobody can allow the client; give --username and --password-stdin, or run it at a terminal";
const NO_ACCOUNT =
  "This needs the pages of Trellis and an account; give --username and --password-stdin";

export function createEventsTarget(input: EventsInput, http: HttpClient): EventsTarget {
  const api = waitForLimits(http.origin(input.baseUrl));
  const tokens = new Set<string>();
  let signedIn: Promise<Browser> | undefined;
  let arrival: Promise<Arrival> | undefined;
  let redeemed: Promise<HttpResponse> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  /** Persons are asked one thing at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };
  const allow = async (path: string): Promise<string> => {
    if (input.account !== undefined) return allowAtPages(target, path);
    const { allow: ask } = input;
    if (ask === undefined) throw new NotTestable(NO_PERSON);
    return inTurn(() => ask(new URL(api.targetOf(path), api.url).href));
  };
  const authorize = async (): Promise<Arrival> => {
    const attempt = await newAttempt(target);
    const address = await allow(authorizePath(attempt));
    const returned = readReturn(address, target.redirectUri);
    if (returned !== null) return { attempt, address, returned };
    return violate(
      "the person's consent",
      `a redirect to ${target.redirectUri}`,
      hideSecrets(address),
    );
  };

  const target: EventsTarget = {
    input,
    api,
    publicUrl: (input.publicUrl ?? input.baseUrl).replace(/\/$/, ""),
    redirectUri: input.redirectUri ?? DEFAULT_REDIRECT_URI,
    clientId() {
      if (input.clientId !== undefined) return input.clientId;
      throw new NotTestable(NO_CLIENT);
    },
    newBrowser: () => createBrowser(api),
    account() {
      if (input.account !== undefined) return input.account;
      throw new NotTestable(NO_ACCOUNT);
    },
    signedIn: () => (signedIn ??= signIn(target)),
    arrival: () => (arrival ??= authorize()),
    redeemed: () =>
      (redeemed ??= target.arrival().then((came) => target.redeem(grantOf(target, came)))),
    token: async () => input.accessToken ?? expectAnyToken(await target.redeemed()),
    newGrant: async () => grantOf(target, await authorize()),
    postForm: (path, fields, headers = {}) =>
      api.send(
        "POST",
        path,
        { ...FORM, ...headers },
        typeof fields === "string" ? fields : encodeFields(fields),
      ),
    async redeem(fields) {
      const answer = await target.postForm(TOKEN, fields);
      const token = readToken(answer);
      // Whoever got a token, wanted or not, gives it back at the end.
      if (token !== null) tokens.add(token);
      return answer;
    },
    async list(query, headers = {}) {
      const bearer = { Authorization: `Bearer ${await target.token()}` };
      return api.get(`${EVENTS}?${query}`, { ...bearer, ...headers });
    },
    async cleanUp() {
      for (const token of tokens) {
        await target.postForm(REVOKE, { token, client_id: target.clientId() });
      }
    },
  };
  return target;
}

export function grantOf(target: EventsTarget, { attempt, returned }: Arrival): TokenFields {
  const code = returned.get("code");
  if (code === null)
    return violate(
      "the person's consent",
      "a code",
      `no code, ${hideSecrets(returned.toString())}`,
    );
  return {
    grant_type: "authorization_code",
    code,
    client_id: target.clientId(),
    redirect_uri: target.redirectUri,
    code_verifier: attempt.codeVerifier,
  };
}

/** The consent page for a request, in a browser that is signed in. */
export async function openConsent(target: EventsTarget, browser: Browser, path: string) {
  const begun = await browser.get(path);
  return readConsentPage(await browser.get(pathOfRedirect(begun, target.api)));
}

async function allowAtPages(target: EventsTarget, path: string): Promise<string> {
  const browser = await target.signedIn();
  const form = await openConsent(target, browser, path);
  const answer = await browser.submit("/consent", { ...form, action: "allow" });
  return (
    answer.header("Location") ?? violate(answer.asked, "a redirect", `status ${answer.status}`)
  );
}

async function signIn(target: EventsTarget): Promise<Browser> {
  const browser = target.newBrowser();
  await browser.signIn("/sign-in", target.account());
  return browser;
}

function readToken(answer: HttpResponse): string | null {
  try {
    return expectAnyToken(answer);
  } catch (error) {
    // What is wrong with the answer is for the case to say.
    if (error instanceof ViolationError) return null;
    throw error;
  }
}
