import { errorResponse } from "../../../src/events/responses/error-response.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  editBody,
  ignoreHeader,
  pathOf,
  queryValue,
  withHeader,
  withStatus,
  toBreaks,
} from "./break.ts";
import {
  at,
  AUTHORIZE,
  CALLBACK,
  changeLocation,
  CONSENT,
  editAddress,
  isErrorRedirect,
  isSuccess,
  keepFirst,
  misreadQuery,
  misreadSearch,
  refuseWhen,
  type EventsBreak,
} from "./events-break.ts";

const RIGHT_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const opensSession = ({ cookies = [] }: HttpResponse) =>
  cookies.some((cookie) => cookie.includes("session="));

/** Sends the browser to whatever address the request names. */
const followAnything = changeResponse(
  ({ status }, request) =>
    status === 400 && pathOf(request) === AUTHORIZE && queryValue(request, "redirect_uri") !== null,
  (response, request) =>
    withHeader(
      withStatus(response, 302),
      "Location",
      `${queryValue(request, "redirect_uri") ?? ""}?error=invalid_request`,
    ),
);

const setCookiesWithout = (attribute: string) =>
  changeResponse(
    ({ cookies }) => cookies !== undefined,
    ({ cookies = [], ...response }) => ({
      ...response,
      cookies: cookies.map((cookie) => cookie.replace(`; ${attribute}`, "")),
    }),
  );

export const EVENTS_BREAKS_OF_AUTHORIZE = toBreaks<EventsBreak>({
  "origin-is-one-that-clients-accept": {
    "lives at a port that clients refuse": {
      input: { publicUrl: "https://events.example.com:8443" },
    },
  },
  "authorize-puts-the-request-before-a-person": {
    "has no authorization route": changeResponse(at(AUTHORIZE), (response) =>
      withStatus(response, 404),
    ),
  },
  "redirect-goes-to-the-supplied-uri": {
    "sends the browser to another path": changeLocation(isSuccess, (location) =>
      location.replace("/callback", "/elsewhere"),
    ),
  },
  "redirect-carries-one-code": {
    "sends two codes": changeLocation(isSuccess, (location) => `${location}&code=another`),
    "responds in the fragment": changeLocation(isSuccess, (location) =>
      location.replace("?code", "?x#code"),
    ),
  },
  "state-comes-back-unchanged": {
    "encodes the state twice": changeLocation(
      isSuccess,
      editAddress((query) => query.set("state", "a%20b")),
    ),
    "forgets the state": changeLocation(
      isSuccess,
      editAddress((query) => query.delete("state")),
    ),
  },
  "unknown-clients-are-not-sent-anywhere, unregistered-redirect-uris-are-not-followed, unknown-clients-get-a-page, redirect-uris-match-to-the-letter, authorize-checks-in-order":
    {
      "sends people wherever a link says": followAnything,
    },
  "requests-without-a-challenge-are-refused, code-challenges-are-checked": {
    "does without PKCE when it is not asked for": misreadQuery(AUTHORIZE, (query) => {
      if (!query.has("code_challenge")) query.set("code_challenge", RIGHT_CHALLENGE);
      query.set("code_challenge_method", "S256");
    }),
  },
  "code-challenges-are-checked": {
    "takes the padding of a challenge": misreadQuery(AUTHORIZE, (query) => {
      const challenge = query.get("code_challenge");
      if (challenge !== null) query.set("code_challenge", challenge.replace(/=$/, ""));
    }),
  },
  "unknown-clients-get-a-page": {
    "takes the first of two clients": misreadQuery(AUTHORIZE, (query) => {
      const [first] = query.getAll("client_id");
      if (first !== undefined) query.set("client_id", first);
    }),
  },
  "redirect-uris-match-to-the-letter": {
    "forgives a slash at the end of an address": misreadQuery(AUTHORIZE, (query) => {
      const uri = query.get("redirect_uri");
      if (uri !== null) query.set("redirect_uri", uri.replace(/\/$/, ""));
    }),
  },
  "repeated-authorize-parameters-are-invalid": {
    "takes the first of two values": misreadQuery(AUTHORIZE, keepFirst),
    "gives back one of two states": changeLocation(isErrorRedirect, (location) =>
      location.includes("state=") ? location : `${location}&state=another`,
    ),
  },
  "response-type-is-needed": {
    "assumes a response type": misreadQuery(AUTHORIZE, (query) => {
      if ((query.get("response_type") ?? "") === "") query.set("response_type", "code");
    }),
  },
  "other-response-types-are-unsupported": {
    "responds to other response types in the fragment": changeLocation(
      isErrorRedirect,
      (location) => location.replace("?error", "#error"),
    ),
    "takes any response type": misreadQuery(AUTHORIZE, (query) =>
      query.set("response_type", "code"),
    ),
  },
  "other-scopes-are-invalid": {
    "grants any scope": misreadQuery(AUTHORIZE, (query) => query.delete("scope")),
    "needs a scope": misreadQuery(AUTHORIZE, (query) => {
      if ((query.get("scope") ?? "") === "") query.set("scope", "none");
    }),
  },
  "request-objects-are-refused": {
    "ignores request objects": misreadQuery(AUTHORIZE, (query) => {
      for (const name of ["request", "request_uri", "response_mode"]) query.delete(name);
    }),
  },
  "authorize-checks-in-order": {
    "looks at the scope before the response type": changeLocation(
      (location) => location.includes("error=unsupported_response_type"),
      editAddress((query) => query.set("error", "invalid_scope")),
    ),
  },
  "unknown-authorize-parameters-are-ignored": {
    "refuses parameters that it does not know": refuseWhen(
      (request) => queryValue(request, "prompt") !== null,
    ),
  },
  "empty-state-is-no-state": {
    "gives back an empty state": changeLocation(isErrorRedirect, (location) =>
      location.includes("state=") ? location : `${location}&state=`,
    ),
  },
  "state-is-echoed-byte-for-byte": {
    "cuts a long state": changeLocation(
      isErrorRedirect,
      editAddress((query) => query.set("state", (query.get("state") ?? "").slice(0, 255))),
    ),
    "reads a plus sign in a state as one": changeLocation(
      isErrorRedirect,
      editAddress((query) => query.set("state", (query.get("state") ?? "").replaceAll("+", " "))),
    ),
  },
  "unreadable-state-is-left-out": {
    "mends a state that it cannot read": misreadSearch(AUTHORIZE, (search) =>
      search.replace(/state=%(?:ff|zz|C3)/, "state=x"),
    ),
  },
  "long-states-are-refused": {
    "takes a state of any length": misreadQuery(AUTHORIZE, (query) => {
      const state = query.get("state");
      if (state !== null) query.set("state", state.slice(0, 1_024));
    }),
  },
  "states-are-counted-in-characters": {
    "takes no authorization request over 8 KiB": async (request, { real }) =>
      request.target.length > 8 * 1024
        ? errorResponse("invalid_request", { status: 414 })
        : real(request),
  },
  "refusals-name-the-issuer, denying-is-access-denied": {
    "does not say who refuses": changeLocation(
      isErrorRedirect,
      editAddress((query) => query.delete("iss")),
    ),
  },
  "success-names-the-issuer": {
    "names another issuer with the code": changeLocation(
      isSuccess,
      editAddress((query) => query.set("iss", "https://elsewhere.example")),
    ),
  },
  "refusals-are-explained-in-ascii": {
    "explains refusals in German": changeLocation(
      isErrorRedirect,
      editAddress((query) => query.set("error_description", "Ungültig")),
    ),
  },
  "refusals-are-302, allowing-answers-303": {
    "redirects with 307": changeResponse(
      ({ status }) => status === 302 || status === 303,
      (response) => withStatus(response, 307),
    ),
  },
  "head-begins-nothing": {
    "begins something at a HEAD": changeResponse(
      (_response, request) => request.method === "HEAD" && pathOf(request) === AUTHORIZE,
      (response) => ({ ...response, cookies: ["browser=1"] }),
    ),
  },
  "subresources-begin-nothing": {
    "begins something for an image": ignoreHeader("sec-fetch-dest"),
  },
  "consent-is-asked-every-time": {
    "does not ask a signed-in person for consent": changeResponse(
      (_response, request) =>
        pathOf(request) === AUTHORIZE && (request.header("cookie") ?? "").includes("session"),
      (response, request) =>
        withHeader(
          response,
          "Location",
          `${CALLBACK}?code=x&state=${queryValue(request, "state") ?? ""}`,
        ),
    ),
  },
  "denying-is-access-denied": {
    "reports a denial as an error of the app": changeLocation(
      (location) => location.includes("error=access_denied"),
      editAddress((query) => query.set("error", "invalid_request")),
    ),
  },
  "requests-are-decided-once": {
    "lets a request be decided again": changeResponse(at(CONSENT, 400), (response) =>
      withStatus(response, 303),
    ),
  },
  "requests-belong-to-their-browser": {
    "shows a request to any browser": changeResponse(at(CONSENT, 400), (response) =>
      withStatus(response, 200),
    ),
  },
  "decisions-need-their-token": {
    "takes a decision from any form": changeResponse(at(CONSENT, 403), (response) =>
      withStatus(response, 303),
    ),
  },
  "foreign-sites-cannot-decide": {
    "does not look at where a decision comes from": ignoreHeader("sec-fetch-site"),
  },
  "sign-in-is-a-new-session": {
    "has one session for everybody": changeResponse(opensSession, (response) => ({
      ...response,
      cookies: ["session=1; Path=/"],
    })),
  },
  "wrong-passwords-sign-nobody-in": {
    "signs in with any password": changeResponse(at("/sign-in", 401), (response) =>
      withStatus(response, 200),
    ),
  },
  "server-signature-proves-the-service": {
    "does not prove that it knows the account": changeResponse(opensSession, (response) =>
      editBody<Record<string, string>>(response, (body) => ({ ...body, serverSignature: "x" })),
    ),
  },
  "cookies-are-for-this-site-alone": {
    "sets cookies without HttpOnly": setCookiesWithout("HttpOnly"),
    "sets cookies without Secure": setCookiesWithout("Secure"),
    "sets cookies without SameSite=Lax": setCookiesWithout("SameSite=Lax"),
  },
});
