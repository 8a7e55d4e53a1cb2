/** Authorization requests with one possible error each. */
import { APP } from "../../service/events-instance.ts";
import { CHALLENGE, LOOPBACK_URI, STATE } from "../../service/journey.ts";
import { twice, type Change, type Difference } from "./asked.ts";

export interface AuthorizationCase {
  readonly change: Change;
  /** Appended as it is. */
  readonly raw?: string;
  readonly differs?: Difference;
}

export const RIGHT_AUTHORIZATION = {
  client_id: APP.id,
  redirect_uri: LOOPBACK_URI,
  response_type: "code",
  scope: "read:events",
  state: STATE,
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
};

const IN_QUERY =
  "OpenID Connect responds to such types in the fragment; our apps read the query, and ours has no other place";
const QUERY_ALONE = "The oracle can respond there; ours says at once that it cannot";
const NO_OBJECTS = "The oracle's codes are of OpenID Connect; RFC 6749 has the general one alone";
const UNREADABLE =
  "The oracle makes something of it; what ours cannot give back unchanged, it refuses";

export const AUTHORIZATION_CASES: Readonly<Record<string, AuthorizationCase>> = {
  "a right request": { change: {} },
  "no client": { change: { client_id: null } },
  "an empty client": { change: { client_id: "" } },
  "an unknown client": { change: { client_id: "nobody" } },
  "a client in capitals": { change: { client_id: APP.id.toUpperCase() } },
  "the client twice": { change: { client_id: twice(APP.id) } },
  "no address": { change: { redirect_uri: null } },
  "an empty address": { change: { redirect_uri: "" } },
  "another address": { change: { redirect_uri: "https://evil.example.com/callback" } },
  "the address twice": { change: { redirect_uri: twice(LOOPBACK_URI) } },
  "another port": {
    change: { redirect_uri: "http://localhost:1/callback" },
    differs: {
      ours: "400 page",
      oracle: "the person is asked",
      why: "RFC 8252 7.3 lets a native app choose its port; ours takes registered addresses to the letter, the app's port is fixed",
    },
  },
  "a loopback address by number": { change: { redirect_uri: "http://127.0.0.1:43823/callback" } },
  "an address with a slash more": { change: { redirect_uri: `${LOOPBACK_URI}/` } },
  "an address with a query": { change: { redirect_uri: `${LOOPBACK_URI}?a=b` } },
  "an address with a fragment": { change: { redirect_uri: `${LOOPBACK_URI}#a` } },
  "an address with capitals in the host": {
    change: { redirect_uri: LOOPBACK_URI.replace("localhost", "LOCALHOST") },
  },
  "an address with dots in the path": {
    change: { redirect_uri: LOOPBACK_URI.replace("/callback", "/x/../callback") },
  },
  "an address with a user": {
    change: { redirect_uri: "http://localhost:43823@evil.example.com/callback" },
  },
  "an address that is none": { change: { redirect_uri: "callback" } },
  "an address with a script": { change: { redirect_uri: "javascript:alert(1)" } },
  "no response type": { change: { response_type: null } },
  "an empty response type": { change: { response_type: "" } },
  "a token at once": {
    change: { response_type: "token" },
    differs: {
      ours: "the app: unsupported_response_type",
      oracle: "the app: unsupported_response_type, in the fragment",
      why: IN_QUERY,
    },
  },
  "a code and a token": {
    change: { response_type: "code token" },
    differs: {
      ours: "the app: unsupported_response_type",
      oracle: "the app: unsupported_response_type, in the fragment",
      why: IN_QUERY,
    },
  },
  "an identity token": {
    change: { response_type: "id_token" },
    differs: {
      ours: "the app: unsupported_response_type",
      oracle: "the app: invalid_request, in the fragment",
      why: "The oracle knows the type and misses a nonce; ours knows no type but code",
    },
  },
  "no known response type": { change: { response_type: "nonsense" } },
  "a response type in capitals": { change: { response_type: "CODE" } },
  "the response type twice": { change: { response_type: twice("code") } },
  "no challenge": { change: { code_challenge: null } },
  "neither challenge nor method": { change: { code_challenge: null, code_challenge_method: null } },
  "an empty challenge": { change: { code_challenge: "" } },
  "a short challenge": { change: { code_challenge: CHALLENGE.slice(1) } },
  "a long challenge": {
    change: { code_challenge: `${CHALLENGE}A` },
    differs: {
      ours: "the app: invalid_request",
      oracle: "the person is asked",
      why: "S256 gives 43 characters: a longer challenge can never be met, and the app learns it at once",
    },
  },
  "a padded challenge": { change: { code_challenge: `${CHALLENGE}=` } },
  "a challenge of other characters": { change: { code_challenge: "!".repeat(43) } },
  "the challenge twice": { change: { code_challenge: twice(CHALLENGE) } },
  "no method": { change: { code_challenge_method: null } },
  "an empty method": { change: { code_challenge_method: "" } },
  "the plain method": { change: { code_challenge_method: "plain" } },
  "a method in small letters": { change: { code_challenge_method: "s256" } },
  "the method twice": { change: { code_challenge_method: twice("S256") } },
  "an unknown scope": { change: { scope: "write:events" } },
  "a scope more": { change: { scope: "read:events write:events" } },
  "no scope": { change: { scope: null } },
  "an empty scope": { change: { scope: "" } },
  "the scope twice in one": { change: { scope: "read:events read:events" } },
  "the scope twice": { change: { scope: twice("read:events") } },
  "a scope in capitals": {
    change: { scope: "READ:EVENTS" },
    differs: {
      ours: "the app: invalid_scope",
      oracle: "the person is asked",
      why: "OpenID Connect ignores unknown scopes; RFC 6749 3.3 lets ours refuse what it would not grant",
    },
  },
  "no state": { change: { state: null } },
  "an empty state": { change: { state: "" } },
  "the state twice": { change: { state: twice(STATE) } },
  "an error without a state": {
    change: { state: null, response_type: "token" },
    differs: {
      ours: "the app: unsupported_response_type, without state",
      oracle: "the app: unsupported_response_type, in the fragment, without state",
      why: IN_QUERY,
    },
  },
  "the response in the query": { change: { response_mode: "query" } },
  "the response in the fragment": {
    change: { response_mode: "fragment" },
    differs: { ours: "the app: invalid_request", oracle: "the person is asked", why: QUERY_ALONE },
  },
  "the response in a form": {
    change: { response_mode: "form_post" },
    differs: { ours: "the app: invalid_request", oracle: "the person is asked", why: QUERY_ALONE },
  },
  "an unknown way of response": {
    change: { response_mode: "nonsense" },
    differs: {
      ours: "the app: invalid_request",
      oracle: "the app: unsupported_response_mode",
      why: "The oracle's code is not among those of RFC 6749 4.1.2.1",
    },
  },
  "an empty way of response": { change: { response_mode: "" } },
  "the way of response twice": { change: { response_mode: twice("query") } },
  "a request object": {
    change: { request: "e30.e30." },
    differs: {
      ours: "the app: invalid_request",
      oracle: "the app: request_not_supported",
      why: NO_OBJECTS,
    },
  },
  "an empty request object": { change: { request: "" } },
  "a request object elsewhere": {
    change: { request_uri: "https://app.example.com/request" },
    differs: {
      ours: "the app: invalid_request",
      oracle: "the app: request_uri_not_supported",
      why: NO_OBJECTS,
    },
  },
  "a state that is not UTF-8": {
    change: { state: null },
    raw: "&state=%ff",
    differs: {
      ours: "the app: invalid_request, without state",
      oracle: "the person is asked",
      why: UNREADABLE,
    },
  },
  "a broken escape": {
    change: { state: null },
    raw: "&state=%zz",
    differs: {
      ours: "the app: invalid_request, without state",
      oracle: "the person is asked",
      why: UNREADABLE,
    },
  },
  "no page to be shown": {
    change: { prompt: "none" },
    differs: {
      ours: "the person is asked",
      oracle: "the app: login_required",
      why: "A parameter of OpenID Connect, which ours does not know: RFC 6749 3.1 says to ignore it",
    },
  },
  "an unknown parameter": { change: { whatever: "1" } },
  "an unknown parameter twice": { change: { whatever: twice("1") } },
  "a name without a value": { change: {}, raw: "&whatever" },
};
