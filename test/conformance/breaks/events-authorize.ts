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

export const EVENTS_BREAKS_OF_AUTHORIZE: readonly EventsBreak[] = [
  {
    name: "lives at a port that clients refuse",
    caughtBy: ["origin-is-one-that-clients-accept"],
    input: { publicUrl: "https://events.example.com:8443" },
  },
  {
    name: "has no authorization route",
    caughtBy: ["authorize-puts-the-request-before-a-person"],
    respond: changeResponse(at(AUTHORIZE), (response) => withStatus(response, 404)),
  },
  {
    name: "sends the browser to another path",
    caughtBy: ["redirect-goes-to-the-supplied-uri"],
    respond: changeLocation(isSuccess, (location) => location.replace("/callback", "/elsewhere")),
  },
  {
    name: "sends two codes",
    caughtBy: ["redirect-carries-one-code"],
    respond: changeLocation(isSuccess, (location) => `${location}&code=another`),
  },
  {
    name: "responds in the fragment",
    caughtBy: ["redirect-carries-one-code"],
    respond: changeLocation(isSuccess, (location) => location.replace("?code", "?x#code")),
  },
  {
    name: "encodes the state twice",
    caughtBy: ["state-comes-back-unchanged"],
    respond: changeLocation(
      isSuccess,
      editAddress((query) => query.set("state", "a%20b")),
    ),
  },
  {
    name: "forgets the state",
    caughtBy: ["state-comes-back-unchanged"],
    respond: changeLocation(
      isSuccess,
      editAddress((query) => query.delete("state")),
    ),
  },
  {
    name: "sends people wherever a link says",
    caughtBy: [
      "unknown-clients-are-not-sent-anywhere",
      "unregistered-redirect-uris-are-not-followed",
      "unknown-clients-get-a-page",
      "redirect-uris-match-to-the-letter",
      "authorize-checks-in-order",
    ],
    respond: followAnything,
  },
  {
    name: "does without PKCE when it is not asked for",
    caughtBy: ["requests-without-a-challenge-are-refused", "code-challenges-are-checked"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      if (!query.has("code_challenge")) query.set("code_challenge", RIGHT_CHALLENGE);
      query.set("code_challenge_method", "S256");
    }),
  },
  {
    name: "takes the padding of a challenge",
    caughtBy: ["code-challenges-are-checked"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      const challenge = query.get("code_challenge");
      if (challenge !== null) query.set("code_challenge", challenge.replace(/=$/, ""));
    }),
  },
  {
    name: "takes the first of two clients",
    caughtBy: ["unknown-clients-get-a-page"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      const [first] = query.getAll("client_id");
      if (first !== undefined) query.set("client_id", first);
    }),
  },
  {
    name: "forgives a slash at the end of an address",
    caughtBy: ["redirect-uris-match-to-the-letter"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      const uri = query.get("redirect_uri");
      if (uri !== null) query.set("redirect_uri", uri.replace(/\/$/, ""));
    }),
  },
  {
    name: "takes the first of two values",
    caughtBy: ["repeated-authorize-parameters-are-invalid"],
    respond: misreadQuery(AUTHORIZE, keepFirst),
  },
  {
    name: "gives back one of two states",
    caughtBy: ["repeated-authorize-parameters-are-invalid"],
    respond: changeLocation(isErrorRedirect, (location) =>
      location.includes("state=") ? location : `${location}&state=another`,
    ),
  },
  {
    name: "assumes a response type",
    caughtBy: ["response-type-is-needed"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      if ((query.get("response_type") ?? "") === "") query.set("response_type", "code");
    }),
  },
  {
    name: "responds to other response types in the fragment",
    caughtBy: ["other-response-types-are-unsupported"],
    respond: changeLocation(isErrorRedirect, (location) => location.replace("?error", "#error")),
  },
  {
    name: "takes any response type",
    caughtBy: ["other-response-types-are-unsupported"],
    respond: misreadQuery(AUTHORIZE, (query) => query.set("response_type", "code")),
  },
  {
    name: "grants any scope",
    caughtBy: ["other-scopes-are-invalid"],
    respond: misreadQuery(AUTHORIZE, (query) => query.delete("scope")),
  },
  {
    name: "needs a scope",
    caughtBy: ["other-scopes-are-invalid"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      if ((query.get("scope") ?? "") === "") query.set("scope", "none");
    }),
  },
  {
    name: "ignores request objects",
    caughtBy: ["request-objects-are-refused"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      for (const name of ["request", "request_uri", "response_mode"]) query.delete(name);
    }),
  },
  {
    name: "looks at the scope before the response type",
    caughtBy: ["authorize-checks-in-order"],
    respond: changeLocation(
      (location) => location.includes("error=unsupported_response_type"),
      editAddress((query) => query.set("error", "invalid_scope")),
    ),
  },
  {
    name: "refuses parameters that it does not know",
    caughtBy: ["unknown-authorize-parameters-are-ignored"],
    respond: refuseWhen((request) => queryValue(request, "prompt") !== null),
  },
  {
    name: "gives back an empty state",
    caughtBy: ["empty-state-is-no-state"],
    respond: changeLocation(isErrorRedirect, (location) =>
      location.includes("state=") ? location : `${location}&state=`,
    ),
  },
  {
    name: "cuts a long state",
    caughtBy: ["state-is-echoed-byte-for-byte"],
    respond: changeLocation(
      isErrorRedirect,
      editAddress((query) => query.set("state", (query.get("state") ?? "").slice(0, 255))),
    ),
  },
  {
    name: "reads a plus sign in a state as one",
    caughtBy: ["state-is-echoed-byte-for-byte"],
    respond: changeLocation(
      isErrorRedirect,
      editAddress((query) => query.set("state", (query.get("state") ?? "").replaceAll("+", " "))),
    ),
  },
  {
    name: "mends a state that it cannot read",
    caughtBy: ["unreadable-state-is-left-out"],
    respond: misreadSearch(AUTHORIZE, (search) => search.replace(/state=%(?:ff|zz|C3)/, "state=x")),
  },
  {
    name: "takes a state of any length",
    caughtBy: ["long-states-are-refused"],
    respond: misreadQuery(AUTHORIZE, (query) => {
      const state = query.get("state");
      if (state !== null) query.set("state", state.slice(0, 1_024));
    }),
  },
  {
    name: "takes no authorization request over 8 KiB",
    caughtBy: ["states-are-counted-in-characters"],
    respond: async (request, { real }) =>
      request.target.length > 8 * 1024
        ? errorResponse("invalid_request", { status: 414 })
        : real(request),
  },
  {
    name: "does not say who refuses",
    caughtBy: ["refusals-name-the-issuer", "denying-is-access-denied"],
    respond: changeLocation(
      isErrorRedirect,
      editAddress((query) => query.delete("iss")),
    ),
  },
  {
    name: "names another issuer with the code",
    caughtBy: ["success-names-the-issuer"],
    respond: changeLocation(
      isSuccess,
      editAddress((query) => query.set("iss", "https://elsewhere.example")),
    ),
  },
  {
    name: "explains refusals in German",
    caughtBy: ["refusals-are-explained-in-ascii"],
    respond: changeLocation(
      isErrorRedirect,
      editAddress((query) => query.set("error_description", "Ungültig")),
    ),
  },
  {
    name: "redirects with 307",
    caughtBy: ["refusals-are-302", "allowing-answers-303"],
    respond: changeResponse(
      ({ status }) => status === 302 || status === 303,
      (response) => withStatus(response, 307),
    ),
  },
  {
    name: "begins something at a HEAD",
    caughtBy: ["head-begins-nothing"],
    respond: changeResponse(
      (_response, request) => request.method === "HEAD" && pathOf(request) === AUTHORIZE,
      (response) => ({ ...response, cookies: ["browser=1"] }),
    ),
  },
  {
    name: "begins something for an image",
    caughtBy: ["subresources-begin-nothing"],
    respond: ignoreHeader("sec-fetch-dest"),
  },
  {
    name: "does not ask a signed-in person for consent",
    caughtBy: ["consent-is-asked-every-time"],
    respond: changeResponse(
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
  {
    name: "reports a denial as an error of the app",
    caughtBy: ["denying-is-access-denied"],
    respond: changeLocation(
      (location) => location.includes("error=access_denied"),
      editAddress((query) => query.set("error", "invalid_request")),
    ),
  },
  {
    name: "lets a request be decided again",
    caughtBy: ["requests-are-decided-once"],
    respond: changeResponse(at(CONSENT, 400), (response) => withStatus(response, 303)),
  },
  {
    name: "shows a request to any browser",
    caughtBy: ["requests-belong-to-their-browser"],
    respond: changeResponse(at(CONSENT, 400), (response) => withStatus(response, 200)),
  },
  {
    name: "takes a decision from any form",
    caughtBy: ["decisions-need-their-token"],
    respond: changeResponse(at(CONSENT, 403), (response) => withStatus(response, 303)),
  },
  {
    name: "does not look at where a decision comes from",
    caughtBy: ["foreign-sites-cannot-decide"],
    respond: ignoreHeader("sec-fetch-site"),
  },
  ...["HttpOnly", "Secure", "SameSite=Lax"].map((attribute): EventsBreak => ({
    name: `sets cookies without ${attribute}`,
    caughtBy: ["cookies-are-for-this-site-alone"],
    respond: changeResponse(
      ({ cookies }) => cookies !== undefined,
      ({ cookies = [], ...response }) => ({
        ...response,
        cookies: cookies.map((cookie) => cookie.replace(`; ${attribute}`, "")),
      }),
    ),
  })),
  {
    name: "has one session for everybody",
    caughtBy: ["sign-in-is-a-new-session"],
    respond: changeResponse(opensSession, (response) => ({
      ...response,
      cookies: ["session=1; Path=/"],
    })),
  },
  {
    name: "signs in with any password",
    caughtBy: ["wrong-passwords-sign-nobody-in"],
    respond: changeResponse(at("/sign-in", 401), (response) => withStatus(response, 200)),
  },
  {
    name: "does not prove that it knows the account",
    caughtBy: ["server-signature-proves-the-service"],
    respond: changeResponse(opensSession, (response) =>
      editBody<Record<string, string>>(response, (body) => ({ ...body, serverSignature: "x" })),
    ),
  },
];
