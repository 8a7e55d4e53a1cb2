import { toCases, type ConformanceCase } from "../case.ts";
import type { ServerUnderTest } from "../http-cases.ts";
import type { ReceivedResponse, RequestFields, SentHeaders } from "../http.ts";
import type { Browser, Credentials } from "./browser.ts";
import type { EventsInput, EventsLevel } from "./input.ts";

export type EventsRequirement = ConformanceCase<EventsServerUnderTest>;
export const eventsCases = toCases<EventsServerUnderTest>;

export interface EventsCase extends EventsRequirement {
  /** The level of the case: `contract` when every compatible service must meet it. */
  readonly level: EventsLevel;
}

export interface PreparedAuthorization {
  readonly codeVerifier: string;
  readonly state: string;
  readonly fields: RequestFields;
}

/** RFC 6749 4.1.2: the redirect after a person consented. */
export interface AuthorizationResponse {
  readonly request: PreparedAuthorization;
  readonly location: string;
  readonly parameters: URLSearchParams;
}

/** The fields of a valid token request. */
export type TokenRequest = Readonly<Record<string, string>>;

export interface EventsServerUnderTest extends ServerUnderTest {
  readonly input: EventsInput;
  readonly redirectUri: string;
  clientId(): string;
  /** A browser without a session, for the pages of Trellis. */
  newBrowser(): Browser;
  account(): Credentials;
  /** A signed-in browser that all cases share. */
  signedIn(): Promise<Browser>;
  /** Sends a valid authorization request with these changes; `suffix` is appended to its query. */
  authorize(changes?: RequestFields, suffix?: string): Promise<ReceivedResponse>;
  /** An authorization that all cases share; `tokenResponse` redeems its code. */
  authorizationResponse(): Promise<AuthorizationResponse>;
  /** The response to the one redemption of the shared code. */
  tokenResponse(): Promise<ReceivedResponse>;
  /** A token that all cases share and none revokes: the given one, or that of the shared code. */
  token(): Promise<string>;
  /** Obtains a new code, and returns the request that redeems it. */
  newTokenRequest(): Promise<TokenRequest>;
  postForm(
    path: string,
    fields: RequestFields | string,
    headers?: SentHeaders,
  ): Promise<ReceivedResponse>;
  requestToken(fields: RequestFields): Promise<ReceivedResponse>;
  /** Reads events with the shared token. */
  list(query: string, headers?: SentHeaders): Promise<ReceivedResponse>;
  /** Revokes the tokens of the run, as far as the service allows. */
  cleanUp(): Promise<void>;
}
