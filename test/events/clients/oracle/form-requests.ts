/** Token and revocation requests with one possible error each. */
import { APP, OTHER_APP } from "../../service/events-instance.ts";
import { LOOPBACK_URI, SCHEME_URI, VERIFIER } from "../../service/journey.ts";
import { twice, type Change, type Difference } from "./asked.ts";

export interface FormCase {
  readonly change?: Change;
  readonly headers?: Readonly<Record<string, string>>;
  /** In the address. */
  readonly search?: string;
  /** Instead of the form. */
  readonly body?: string;
  readonly method?: string;
  readonly differs?: Difference;
}

export interface TokenCase extends FormCase {
  /** Done with the code before the request. */
  readonly code?: "redeemed" | "outlived" | "consumed";
}

/** The code is added. */
export const RIGHT_REDEMPTION = {
  grant_type: "authorization_code",
  client_id: APP.id,
  redirect_uri: LOOPBACK_URI,
  code_verifier: VERIFIER,
};

const BASIC = "RFC 6749 5.2: a client that tries HTTP Basic and fails gets 401 and the challenge";
const MISSING = "RFC 6749 5.2: a request that lacks a required parameter is invalid_request";
const VERIFIER_FORM =
  "A verifier that cannot be right is as wrong as another: one response, and the code is consumed";

const basic = (credentials: string) => ({ Authorization: `Basic ${btoa(credentials)}` });

export const TOKEN_CASES: Readonly<Record<string, TokenCase>> = {
  "a right request": {},
  "a charset": { headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" } },
  "a type in capitals": { headers: { "Content-Type": "APPLICATION/X-WWW-FORM-URLENCODED" } },
  "an unknown parameter": { change: { whatever: "1" } },
  "a code used before": { code: "redeemed" },
  "a code that is too old": { code: "outlived" },
  "a code after a wrong verifier": {
    code: "consumed",
    differs: {
      ours: "400 invalid_grant",
      oracle: "200 token",
      why: "Ours consumes a code at the first try, so that a verifier cannot be guessed",
    },
  },
  JSON: { headers: { "Content-Type": "application/json" }, body: JSON.stringify(RIGHT_REDEMPTION) },
  "another content type": { headers: { "Content-Type": "text/plain" } },
  "a form of many parts": {
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
    body: "--x--",
  },
  "no body": { body: "" },
  "a body that is too large": {
    change: { whatever: "x".repeat(60_000) },
    differs: {
      ours: "413 invalid_request",
      oracle: "400 invalid_request",
      why: "Ours says with the status what is wrong; the bound is 16 KiB here, 56 KiB there",
    },
  },
  "parameters in the address": {
    body: "",
    search: `?${new URLSearchParams(RIGHT_REDEMPTION).toString()}`,
  },
  "the client in the address": { change: { client_id: null }, search: `?client_id=${APP.id}` },
  "no grant type": { change: { grant_type: null } },
  "an empty grant type": { change: { grant_type: "" } },
  "the grant type twice": { change: { grant_type: twice("authorization_code") } },
  "an unknown grant type": { change: { grant_type: "nonsense" } },
  "the grant of a password": { change: { grant_type: "password", username: "a", password: "b" } },
  "the grant of a client": { change: { grant_type: "client_credentials" } },
  "the implicit grant": { change: { grant_type: "implicit" } },
  "the grant of a refresh token": { change: { grant_type: "refresh_token", refresh_token: "x" } },
  "no client": { change: { client_id: null } },
  "an empty client": { change: { client_id: "" } },
  "an unknown client": { change: { client_id: "nobody" } },
  "another client": { change: { client_id: OTHER_APP.id } },
  "the client twice": { change: { client_id: twice(APP.id) } },
  "a secret": {
    change: { client_secret: "secret" },
    differs: {
      ours: "200 token",
      oracle: "401 invalid_client",
      why: "Some libraries always send one; a public client has none to be compared with",
    },
  },
  "HTTP Basic": { headers: basic(`${APP.id}:secret`) },
  "HTTP Basic without a secret": {
    headers: basic(`${APP.id}:`),
    differs: { ours: "401 invalid_client", oracle: "400 invalid_request", why: BASIC },
  },
  "HTTP Basic of an unknown client": {
    change: { client_id: null },
    headers: basic("nobody:secret"),
  },
  "HTTP Basic that is none": {
    headers: { Authorization: "Basic nonsense" },
    differs: { ours: "401 invalid_client", oracle: "400 invalid_request", why: BASIC },
  },
  "no code": { change: { code: null } },
  "an empty code": { change: { code: "" } },
  "an unknown code": { change: { code: "x".repeat(43) } },
  "no address": { change: { redirect_uri: null } },
  "an empty address": { change: { redirect_uri: "" } },
  "another registered address": { change: { redirect_uri: SCHEME_URI } },
  "an unregistered address": { change: { redirect_uri: "https://evil.example.com/callback" } },
  "the address twice": { change: { redirect_uri: twice(LOOPBACK_URI) } },
  "no verifier": {
    change: { code_verifier: null },
    differs: { ours: "400 invalid_request", oracle: "400 invalid_grant", why: MISSING },
  },
  "an empty verifier": {
    change: { code_verifier: "" },
    differs: { ours: "400 invalid_request", oracle: "400 invalid_grant", why: MISSING },
  },
  "another verifier": { change: { code_verifier: `${VERIFIER}1` } },
  "a short verifier": {
    change: { code_verifier: "short" },
    differs: { ours: "400 invalid_grant", oracle: "400 invalid_request", why: VERIFIER_FORM },
  },
  "a long verifier": {
    change: { code_verifier: "x".repeat(129) },
    differs: { ours: "400 invalid_grant", oracle: "400 invalid_request", why: VERIFIER_FORM },
  },
  "a verifier of other characters": {
    change: { code_verifier: "!".repeat(43) },
    differs: { ours: "400 invalid_grant", oracle: "400 invalid_request", why: VERIFIER_FORM },
  },
  "the verifier twice": { change: { code_verifier: twice(VERIFIER) } },
  "an unknown parameter twice": {
    change: { whatever: twice("1") },
    differs: {
      ours: "400 invalid_request",
      oracle: "200 token",
      why: "RFC 6749 3.2: parameters must not come more than once, and it does not say known ones",
    },
  },
  "a broken escape": { body: "grant_type=%zz" },
  "a GET": {
    method: "GET",
    differs: {
      ours: "405 method_not_allowed",
      oracle: "404 page",
      why: "RFC 9110 15.5.6: the path is known, the method is not; Allow names the one that is",
    },
  },
};

/** The token is added. */
export const RIGHT_REVOCATION = { client_id: APP.id };

export const REVOCATION_CASES: Readonly<Record<string, FormCase>> = {
  "a right request": {},
  "a hint": { change: { token_type_hint: "access_token" } },
  "a hint that is wrong": { change: { token_type_hint: "refresh_token" } },
  "a token that never was": { change: { token: "never-was" } },
  "no token": { change: { token: null } },
  "the token twice": { change: { token: twice("x") } },
  "no client": { change: { client_id: null } },
  "an unknown client": { change: { client_id: "nobody" } },
  "another client": { change: { client_id: OTHER_APP.id } },
  "HTTP Basic": { headers: basic(`${APP.id}:secret`) },
  JSON: { headers: { "Content-Type": "application/json" }, body: "{}" },
};
