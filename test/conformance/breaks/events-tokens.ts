import { createHash } from "node:crypto";
import type { HttpResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  changeOk,
  editBody,
  ignoreHeader,
  ignoreUnexpectedBodies,
  isError,
  pathOf,
  withHeader,
  withoutHeader,
  withRequestHeader,
  withStatus,
  withTarget,
  type Body,
  type BrokenResponder,
} from "./break.ts";
import {
  APP,
  respondToForm,
  at,
  AUTHORIZE,
  CALLBACK,
  errorLike,
  keepFirst,
  misreadForm,
  misreadQuery,
  REVOKE,
  TOKEN,
  type EventsBreak,
} from "./events-break.ts";

const OWN_VERIFIER = "v".repeat(43);
const OWN_CHALLENGE = createHash("sha256").update(OWN_VERIFIER).digest("base64url");
const changeToken = (edit: (body: Body) => Body) => changeOk<Body>(TOKEN, edit);

/** `known` is the first response to the same code. */
function respondToCodes(
  handle: (
    known: Promise<HttpResponse> | undefined,
    ask: () => Promise<HttpResponse>,
  ) => Promise<HttpResponse>,
): BrokenResponder {
  const responses = new Map<string, Promise<HttpResponse>>();
  return respondToForm(TOKEN, (form, ask) => {
    const code = form.get("code") ?? "";
    const known = responses.get(code);
    const response = handle(known, () => ask(form));
    if (known === undefined) responses.set(code, response);
    return response;
  });
}

export const EVENTS_BREAKS_OF_TOKENS: readonly EventsBreak[] = [
  {
    name: "reads forms in any charset",
    caughtBy: ["token-bodies-are-utf-8"],
    respond: (request, { real }) => {
      const [type = ""] = (request.header("content-type") ?? "").split(";");
      return real(type === "" ? request : withRequestHeader(request, "content-type", type));
    },
  },
  {
    name: "takes no notice of a body where none belongs",
    caughtBy: ["unexpected-bodies-are-refused"],
    respond: ignoreUnexpectedBodies,
  },
  {
    name: "writes members of the token response otherwise",
    caughtBy: ["code-redeems-for-an-access-token", "token-answer-has-its-members"],
    respond: changeToken(({ access_token: accessToken, ...rest }) => ({ ...rest, accessToken })),
  },
  {
    name: "sends tokens as a page",
    caughtBy: ["token-answer-is-json"],
    respond: changeResponse(at(TOKEN, 200), (response) =>
      withHeader(response, "Content-Type", "text/html"),
    ),
  },
  {
    name: "has tokens of another type",
    caughtBy: ["token-type-is-bearer"],
    respond: changeToken((body) => ({ ...body, token_type: "mac" })),
  },
  {
    name: "grants something else",
    caughtBy: ["token-scope-lets-read-events"],
    respond: changeToken((body) => ({ ...body, scope: "openid" })),
  },
  {
    name: "has tokens with spaces in them",
    caughtBy: ["access-token-fits-the-header"],
    respond: changeToken((body) => ({ ...body, access_token: "two words" })),
  },
  {
    name: "gives tokens that open nothing",
    caughtBy: ["access-token-opens-the-events"],
    respond: changeToken((body) => ({ ...body, access_token: "tre_at_none" })),
  },
  {
    name: "says of failures that they are none",
    caughtBy: ["unknown-codes-get-no-token", "codes-work-once", "token-members-are-needed"],
    respond: changeResponse(
      (response, request) => isError(response) && pathOf(request) === TOKEN,
      (response) => withStatus(response, 200),
    ),
  },
  {
    name: "does not look at the verifier",
    caughtBy: ["codes-need-their-verifier", "codes-need-a-verifier"],
    respond: (request, context) =>
      pathOf(request) === AUTHORIZE
        ? misreadQuery(AUTHORIZE, (query) => query.set("code_challenge", OWN_CHALLENGE))(
            request,
            context,
          )
        : misreadForm(TOKEN, (form) => form.set("code_verifier", OWN_VERIFIER))(request, context),
  },
  {
    name: "redeems with any redirect URI",
    caughtBy: ["codes-are-bound-to-their-redirect-uri"],
    respond: misreadForm(TOKEN, (form) => form.set("redirect_uri", CALLBACK)),
  },
  {
    name: "redeems for any client",
    caughtBy: ["codes-are-bound-to-their-client", "unknown-clients-are-invalid-client"],
    respond: misreadForm(TOKEN, (form) => form.set("client_id", APP.id)),
  },
  {
    name: "redeems by any grant type",
    caughtBy: ["codes-are-for-their-grant-type", "other-grant-types-are-unsupported"],
    respond: misreadForm(TOKEN, (form) => form.set("grant_type", "authorization_code")),
  },
  {
    name: "responds to a code that comes again as it did the first time",
    caughtBy: ["codes-work-once", "parallel-redemption-has-one-winner"],
    createResponder: () => respondToCodes((known, ask) => known ?? ask()),
  },
  {
    name: "ends the token of a code that comes twice at the same time",
    caughtBy: ["parallel-redemption-has-one-winner"],
    createResponder: () => {
      const tokens = new Set<string>();
      return async (request, { real }) => {
        const bearer = request.header("authorization") ?? "";
        const response = await real(
          tokens.has(bearer) ? withRequestHeader(request, "authorization", "Bearer x") : request,
        );
        if (response.status === 200 && pathOf(request) === TOKEN) {
          const { access_token: token } = JSON.parse(String(response.body)) as Body;
          tokens.add(`Bearer ${String(token)}`);
        }
        return response;
      };
    },
  },
  {
    name: "shrugs at a code that is used again",
    caughtBy: ["later-use-of-a-code-revokes-its-token"],
    createResponder: () =>
      respondToCodes(async (known, ask) => {
        return known === undefined ? ask() : errorLike(await known, "invalid_grant");
      }),
  },
  {
    name: "does not say how long a token lives",
    caughtBy: ["token-answer-has-its-members"],
    respond: changeToken(({ expires_in: _seconds, ...body }) => body),
  },
  {
    name: "lets old caches keep errors",
    caughtBy: ["token-answers-are-never-stored"],
    respond: changeResponse(isError, (response) => withoutHeader(response, "Pragma")),
  },
  {
    name: "reads any body as a form",
    caughtBy: ["token-bodies-must-be-forms"],
    respond: (request, { real }) =>
      real(
        withRequestHeader(
          withRequestHeader(request, "content-type", "application/x-www-form-urlencoded"),
          "content-encoding",
          null,
        ),
      ),
  },
  {
    name: "reads no form that names its charset",
    caughtBy: ["token-bodies-must-be-forms"],
    respond: (request, { real }) =>
      real(
        request.header("content-type")?.includes("charset") === true
          ? withRequestHeader(request, "content-type", null)
          : request,
      ),
  },
  {
    name: "calls a large body a wrong one",
    caughtBy: ["token-bodies-over-the-limit-are-413"],
    respond: changeResponse(at(TOKEN, 413), (response) => withStatus(response, 400)),
  },
  {
    name: "takes the first of two form fields",
    caughtBy: ["repeated-form-parameters-are-invalid"],
    respond: misreadForm(TOKEN, keepFirst),
  },
  {
    name: "mends broken escapes in forms",
    caughtBy: ["unreadable-forms-are-invalid"],
    respond: respondToForm(TOKEN, (_form, ask, text) => ask(text.replace(/%(?:zz|ff)/, "x"))),
  },
  {
    name: "overlooks the query of the token route",
    caughtBy: ["form-parameters-are-not-taken-from-the-query"],
    respond: (request, { real }) =>
      real(pathOf(request) === TOKEN ? withTarget(request, TOKEN) : request),
  },
  {
    name: "calls what is missing a wrong code",
    caughtBy: ["token-members-are-needed"],
    respond: changeResponse(at(TOKEN, 400), (response) => errorLike(response, "invalid_grant")),
  },
  {
    name: "calls an unknown client a wrong request",
    caughtBy: ["unknown-clients-are-invalid-client"],
    respond: changeResponse(at(TOKEN, 401), (response) => withStatus(response, 400)),
  },
  {
    name: "overlooks HTTP Basic",
    caughtBy: ["basic-is-refused"],
    respond: ignoreHeader("authorization", (request) => pathOf(request) === TOKEN),
  },
  {
    name: "does not name the scheme that it refuses",
    caughtBy: ["basic-is-refused"],
    respond: changeResponse(at(REVOKE, 401), (response) =>
      withoutHeader(response, "WWW-Authenticate"),
    ),
  },
  {
    name: "refuses clients that send a secret",
    caughtBy: ["client-secrets-are-ignored"],
    respond: respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      return form.has("client_secret") ? errorLike(response, "invalid_client") : response;
    }),
  },
  {
    name: "tells a code that never was from one that was used",
    caughtBy: ["unusable-codes-are-all-alike"],
    respond: respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      return form.get("code") === "x" && response.status === 400
        ? editBody<Body>(response, (body) => ({ ...body, error_description: "No such code" }))
        : response;
    }),
  },
  {
    name: "lets a wrong redirect URI be mended",
    caughtBy: ["wrong-redemptions-burn-the-code"],
    respond: respondToForm(TOKEN, async (form, ask) =>
      form.get("redirect_uri") === `${CALLBACK}x`
        ? errorLike(await ask("grant_type=x"), "invalid_grant")
        : ask(form),
    ),
  },
  {
    name: "consumes a code before it has read the request",
    caughtBy: ["mistyped-redemptions-burn-nothing"],
    respond: respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      if (response.status === 401) {
        form.set("client_id", APP.id);
        form.set("code_verifier", OWN_VERIFIER);
        await ask(form);
      }
      return response;
    }),
  },
  {
    name: "looks for the client before the grant type",
    caughtBy: ["token-checks-in-order"],
    respond: respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      const client = form.get("client_id");
      return client === null || client === APP.id
        ? response
        : errorLike(response, "invalid_client");
    }),
  },
  {
    name: "does not end what is given back",
    caughtBy: ["revocation-ends-the-token"],
    respond: misreadForm(REVOKE, (form) => form.set("token", "none")),
  },
  {
    name: "complains about tokens that never were",
    caughtBy: ["revocation-of-unknown-tokens-is-fine"],
    respond: respondToForm(REVOKE, async (form, ask) => {
      const response = await ask(form);
      return form.get("token")?.startsWith("tre_at_") === true
        ? response
        : errorLike(response, "invalid_request");
    }),
  },
  {
    name: "takes any revocation for one",
    caughtBy: ["revocation-needs-token-and-client", "unknown-clients-are-invalid-client"],
    respond: changeResponse(
      (response, request) => isError(response) && pathOf(request) === REVOKE,
      (response) => withStatus(response, 200),
    ),
  },
];
