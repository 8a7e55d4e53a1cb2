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
  toBreaks,
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

export const EVENTS_BREAKS_OF_TOKENS = toBreaks<EventsBreak>({
  "token-bodies-are-utf-8": {
    "reads forms in any charset": (request, { real }) => {
      const [type = ""] = (request.header("content-type") ?? "").split(";");
      return real(type === "" ? request : withRequestHeader(request, "content-type", type));
    },
  },
  "unexpected-bodies-are-refused": {
    "takes no notice of a body where none belongs": ignoreUnexpectedBodies,
  },
  "code-redeems-for-an-access-token, token-answer-has-its-members": {
    "writes members of the token response otherwise": changeToken(
      ({ access_token: accessToken, ...rest }) => ({ ...rest, accessToken }),
    ),
  },
  "token-answer-is-json": {
    "sends tokens as a page": changeResponse(at(TOKEN, 200), (response) =>
      withHeader(response, "Content-Type", "text/html"),
    ),
  },
  "token-type-is-bearer": {
    "has tokens of another type": changeToken((body) => ({ ...body, token_type: "mac" })),
  },
  "token-scope-lets-read-events": {
    "grants something else": changeToken((body) => ({ ...body, scope: "openid" })),
  },
  "access-token-fits-the-header": {
    "has tokens with spaces in them": changeToken((body) => ({
      ...body,
      access_token: "two words",
    })),
  },
  "access-token-opens-the-events": {
    "gives tokens that open nothing": changeToken((body) => ({
      ...body,
      access_token: "tre_at_none",
    })),
  },
  "unknown-codes-get-no-token, codes-work-once, token-members-are-needed": {
    "says of failures that they are none": changeResponse(
      (response, request) => isError(response) && pathOf(request) === TOKEN,
      (response) => withStatus(response, 200),
    ),
  },
  "codes-need-their-verifier, codes-need-a-verifier": {
    "does not look at the verifier": (request, context) =>
      pathOf(request) === AUTHORIZE
        ? misreadQuery(AUTHORIZE, (query) => query.set("code_challenge", OWN_CHALLENGE))(
            request,
            context,
          )
        : misreadForm(TOKEN, (form) => form.set("code_verifier", OWN_VERIFIER))(request, context),
  },
  "codes-are-bound-to-their-redirect-uri": {
    "redeems with any redirect URI": misreadForm(TOKEN, (form) =>
      form.set("redirect_uri", CALLBACK),
    ),
  },
  "codes-are-bound-to-their-client, unknown-clients-are-invalid-client": {
    "redeems for any client": misreadForm(TOKEN, (form) => form.set("client_id", APP.id)),
  },
  "codes-are-for-their-grant-type, other-grant-types-are-unsupported": {
    "redeems by any grant type": misreadForm(TOKEN, (form) =>
      form.set("grant_type", "authorization_code"),
    ),
  },
  "codes-work-once, parallel-redemption-has-one-winner": {
    "responds to a code that comes again as it did the first time": {
      createResponder: () => respondToCodes((known, ask) => known ?? ask()),
    },
  },
  "parallel-redemption-has-one-winner": {
    "ends the token of a code that comes twice at the same time": {
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
  },
  "later-use-of-a-code-revokes-its-token": {
    "shrugs at a code that is used again": {
      createResponder: () =>
        respondToCodes(async (known, ask) => {
          return known === undefined ? ask() : errorLike(await known, "invalid_grant");
        }),
    },
  },
  "token-answer-has-its-members": {
    "does not say how long a token lives": changeToken(({ expires_in: _seconds, ...body }) => body),
  },
  "token-answers-are-never-stored": {
    "lets old caches keep errors": changeResponse(isError, (response) =>
      withoutHeader(response, "Pragma"),
    ),
  },
  "token-bodies-must-be-forms": {
    "reads any body as a form": (request, { real }) =>
      real(
        withRequestHeader(
          withRequestHeader(request, "content-type", "application/x-www-form-urlencoded"),
          "content-encoding",
          null,
        ),
      ),
    "reads no form that names its charset": (request, { real }) =>
      real(
        request.header("content-type")?.includes("charset") === true
          ? withRequestHeader(request, "content-type", null)
          : request,
      ),
  },
  "token-bodies-over-the-limit-are-413": {
    "calls a large body a wrong one": changeResponse(at(TOKEN, 413), (response) =>
      withStatus(response, 400),
    ),
  },
  "repeated-form-parameters-are-invalid": {
    "takes the first of two form fields": misreadForm(TOKEN, keepFirst),
  },
  "unreadable-forms-are-invalid": {
    "mends broken escapes in forms": respondToForm(TOKEN, (_form, ask, text) =>
      ask(text.replace(/%(?:zz|ff)/, "x")),
    ),
  },
  "form-parameters-are-not-taken-from-the-query": {
    "overlooks the query of the token route": (request, { real }) =>
      real(pathOf(request) === TOKEN ? withTarget(request, TOKEN) : request),
  },
  "token-members-are-needed": {
    "calls what is missing a wrong code": changeResponse(at(TOKEN, 400), (response) =>
      errorLike(response, "invalid_grant"),
    ),
  },
  "unknown-clients-are-invalid-client": {
    "calls an unknown client a wrong request": changeResponse(at(TOKEN, 401), (response) =>
      withStatus(response, 400),
    ),
  },
  "basic-is-refused": {
    "overlooks HTTP Basic": ignoreHeader("authorization", (request) => pathOf(request) === TOKEN),
    "does not name the scheme that it refuses": changeResponse(at(REVOKE, 401), (response) =>
      withoutHeader(response, "WWW-Authenticate"),
    ),
  },
  "client-secrets-are-ignored": {
    "refuses clients that send a secret": respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      return form.has("client_secret") ? errorLike(response, "invalid_client") : response;
    }),
  },
  "unusable-codes-are-all-alike": {
    "tells a code that never was from one that was used": respondToForm(
      TOKEN,
      async (form, ask) => {
        const response = await ask(form);
        return form.get("code") === "x" && response.status === 400
          ? editBody<Body>(response, (body) => ({ ...body, error_description: "No such code" }))
          : response;
      },
    ),
  },
  "wrong-redemptions-burn-the-code": {
    "lets a wrong redirect URI be mended": respondToForm(TOKEN, async (form, ask) =>
      form.get("redirect_uri") === `${CALLBACK}x`
        ? errorLike(await ask("grant_type=x"), "invalid_grant")
        : ask(form),
    ),
  },
  "mistyped-redemptions-burn-nothing": {
    "consumes a code before it has read the request": respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      if (response.status === 401) {
        form.set("client_id", APP.id);
        form.set("code_verifier", OWN_VERIFIER);
        await ask(form);
      }
      return response;
    }),
  },
  "token-checks-in-order": {
    "looks for the client before the grant type": respondToForm(TOKEN, async (form, ask) => {
      const response = await ask(form);
      const client = form.get("client_id");
      return client === null || client === APP.id
        ? response
        : errorLike(response, "invalid_client");
    }),
  },
  "revocation-ends-the-token": {
    "does not end what is given back": misreadForm(REVOKE, (form) => form.set("token", "none")),
  },
  "revocation-of-unknown-tokens-is-fine": {
    "complains about tokens that never were": respondToForm(REVOKE, async (form, ask) => {
      const response = await ask(form);
      return form.get("token")?.startsWith("tre_at_") === true
        ? response
        : errorLike(response, "invalid_request");
    }),
  },
  "revocation-needs-token-and-client, unknown-clients-are-invalid-client": {
    "takes any revocation for one": changeResponse(
      (response, request) => isError(response) && pathOf(request) === REVOKE,
      (response) => withStatus(response, 200),
    ),
  },
});
