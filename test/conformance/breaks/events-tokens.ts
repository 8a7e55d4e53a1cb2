import { createHash } from "node:crypto";
import type { HttpResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  changeOk,
  editBody,
  ignoreHeader,
  isError,
  pathOf,
  withHeader,
  withoutHeader,
  withRequestHeader,
  withStatus,
  withTarget,
  type Body,
  type BrokenResponse,
} from "./break.ts";
import {
  answerForm,
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
import { APP } from "./events-account.ts";

const OWN_VERIFIER = "v".repeat(43);
const OWN_CHALLENGE = createHash("sha256").update(OWN_VERIFIER).digest("base64url");
const changeToken = (edit: (body: Body) => Body) => changeOk<Body>(TOKEN, edit);

/** Each code and the answer that it got first. */
function answerCodes(
  handle: (
    known: Promise<HttpResponse> | undefined,
    ask: () => Promise<HttpResponse>,
  ) => Promise<HttpResponse>,
): BrokenResponse {
  const answers = new Map<string, Promise<HttpResponse>>();
  return answerForm(TOKEN, (form, ask) => {
    const code = form.get("code") ?? "";
    const known = answers.get(code);
    const answer = handle(known, () => ask(form));
    if (known === undefined) answers.set(code, answer);
    return answer;
  });
}

export const EVENTS_BREAKS_OF_TOKENS: readonly EventsBreak[] = [
  {
    name: "writes members of the token response otherwise",
    caughtBy: ["code-redeems-for-an-access-token", "token-answer-has-its-members"],
    answer: changeToken(({ access_token: accessToken, ...rest }) => ({ ...rest, accessToken })),
  },
  {
    name: "answers tokens as a page",
    caughtBy: ["token-answer-is-json"],
    answer: changeResponse(at(TOKEN, 200), (answer) =>
      withHeader(answer, "Content-Type", "text/html"),
    ),
  },
  {
    name: "has tokens of another type",
    caughtBy: ["token-type-is-bearer"],
    answer: changeToken((body) => ({ ...body, token_type: "mac" })),
  },
  {
    name: "grants something else",
    caughtBy: ["token-scope-lets-read-events"],
    answer: changeToken((body) => ({ ...body, scope: "openid" })),
  },
  {
    name: "has tokens with spaces in them",
    caughtBy: ["access-token-fits-the-header"],
    answer: changeToken((body) => ({ ...body, access_token: "two words" })),
  },
  {
    name: "gives tokens that open nothing",
    caughtBy: ["access-token-opens-the-events"],
    answer: changeToken((body) => ({ ...body, access_token: "tre_at_none" })),
  },
  {
    name: "says of failures that they are none",
    caughtBy: ["unknown-codes-get-no-token", "codes-work-once", "token-members-are-needed"],
    answer: changeResponse(
      (answer, exchange) => isError(answer) && pathOf(exchange) === TOKEN,
      (answer) => withStatus(answer, 200),
    ),
  },
  {
    name: "does not look at the verifier",
    caughtBy: ["codes-need-their-verifier", "codes-need-a-verifier"],
    answer: (exchange, context) =>
      pathOf(exchange) === AUTHORIZE
        ? misreadQuery(AUTHORIZE, (query) => query.set("code_challenge", OWN_CHALLENGE))(
            exchange,
            context,
          )
        : misreadForm(TOKEN, (form) => form.set("code_verifier", OWN_VERIFIER))(exchange, context),
  },
  {
    name: "redeems with any redirect URI",
    caughtBy: ["codes-are-bound-to-their-redirect-uri"],
    answer: misreadForm(TOKEN, (form) => form.set("redirect_uri", CALLBACK)),
  },
  {
    name: "redeems for any client",
    caughtBy: ["codes-are-bound-to-their-client", "unknown-clients-are-invalid-client"],
    answer: misreadForm(TOKEN, (form) => form.set("client_id", APP.id)),
  },
  {
    name: "redeems by any grant type",
    caughtBy: ["codes-are-for-their-grant-type", "other-grant-types-are-unsupported"],
    answer: misreadForm(TOKEN, (form) => form.set("grant_type", "authorization_code")),
  },
  {
    name: "answers a code that comes again as it did the first time",
    caughtBy: ["codes-work-once", "parallel-redemption-has-one-winner"],
    createAnswer: () => answerCodes((known, ask) => known ?? ask()),
  },
  {
    name: "ends the token of a code that comes twice at the same time",
    caughtBy: ["parallel-redemption-has-one-winner"],
    createAnswer: () => {
      const tokens = new Set<string>();
      return async (exchange, { honest }) => {
        const bearer = exchange.header("authorization") ?? "";
        const answer = await honest(
          tokens.has(bearer) ? withRequestHeader(exchange, "authorization", "Bearer x") : exchange,
        );
        if (answer.status === 200 && pathOf(exchange) === TOKEN) {
          const { access_token: token } = JSON.parse(String(answer.body)) as Body;
          tokens.add(`Bearer ${String(token)}`);
        }
        return answer;
      };
    },
  },
  {
    name: "shrugs at a code that is used again",
    caughtBy: ["later-use-of-a-code-revokes-its-token"],
    createAnswer: () =>
      answerCodes(async (known, ask) => {
        return known === undefined ? ask() : errorLike(await known, "invalid_grant");
      }),
  },
  {
    name: "does not say how long a token lives",
    caughtBy: ["token-answer-has-its-members"],
    answer: changeToken(({ expires_in: _seconds, ...body }) => body),
  },
  {
    name: "lets old caches keep errors",
    caughtBy: ["token-answers-are-never-stored"],
    answer: changeResponse(isError, (answer) => withoutHeader(answer, "Pragma")),
  },
  {
    name: "reads any body as a form",
    caughtBy: ["token-bodies-must-be-forms"],
    answer: (exchange, { honest }) =>
      honest(
        withRequestHeader(
          withRequestHeader(exchange, "content-type", "application/x-www-form-urlencoded"),
          "content-encoding",
          null,
        ),
      ),
  },
  {
    name: "reads no form that names its charset",
    caughtBy: ["token-bodies-must-be-forms"],
    answer: (exchange, { honest }) =>
      honest(
        exchange.header("content-type")?.includes("charset") === true
          ? withRequestHeader(exchange, "content-type", null)
          : exchange,
      ),
  },
  {
    name: "calls a large body a wrong one",
    caughtBy: ["token-bodies-over-the-limit-are-413"],
    answer: changeResponse(at(TOKEN, 413), (answer) => withStatus(answer, 400)),
  },
  {
    name: "takes the first of two form fields",
    caughtBy: ["repeated-form-parameters-are-invalid"],
    answer: misreadForm(TOKEN, keepFirst),
  },
  {
    name: "mends broken escapes in forms",
    caughtBy: ["unreadable-forms-are-invalid"],
    answer: answerForm(TOKEN, (_form, ask, text) => ask(text.replace(/%(?:zz|ff)/, "x"))),
  },
  {
    name: "overlooks the query of the token route",
    caughtBy: ["form-parameters-are-not-taken-from-the-query"],
    answer: (exchange, { honest }) =>
      honest(pathOf(exchange) === TOKEN ? withTarget(exchange, TOKEN) : exchange),
  },
  {
    name: "calls what is missing a wrong code",
    caughtBy: ["token-members-are-needed"],
    answer: changeResponse(at(TOKEN, 400), (answer) => errorLike(answer, "invalid_grant")),
  },
  {
    name: "calls an unknown client a wrong request",
    caughtBy: ["unknown-clients-are-invalid-client"],
    answer: changeResponse(at(TOKEN, 401), (answer) => withStatus(answer, 400)),
  },
  {
    name: "overlooks HTTP Basic",
    caughtBy: ["basic-is-refused"],
    answer: ignoreHeader("authorization", (exchange) => pathOf(exchange) === TOKEN),
  },
  {
    name: "does not name the scheme that it refuses",
    caughtBy: ["basic-is-refused"],
    answer: changeResponse(at(REVOKE, 401), (answer) => withoutHeader(answer, "WWW-Authenticate")),
  },
  {
    name: "refuses clients that send a secret",
    caughtBy: ["client-secrets-are-ignored"],
    answer: answerForm(TOKEN, async (form, ask) => {
      const answer = await ask(form);
      return form.has("client_secret") ? errorLike(answer, "invalid_client") : answer;
    }),
  },
  {
    name: "tells a code that never was from one that was used",
    caughtBy: ["unusable-codes-are-all-alike"],
    answer: answerForm(TOKEN, async (form, ask) => {
      const answer = await ask(form);
      return form.get("code") === "x" && answer.status === 400
        ? editBody<Body>(answer, (body) => ({ ...body, error_description: "No such code" }))
        : answer;
    }),
  },
  {
    name: "lets a wrong redirect URI be mended",
    caughtBy: ["wrong-redemptions-burn-the-code"],
    answer: answerForm(TOKEN, async (form, ask) =>
      form.get("redirect_uri") === `${CALLBACK}x`
        ? errorLike(await ask("grant_type=x"), "invalid_grant")
        : ask(form),
    ),
  },
  {
    name: "burns a code before it has read the request",
    caughtBy: ["mistyped-redemptions-burn-nothing"],
    answer: answerForm(TOKEN, async (form, ask) => {
      const answer = await ask(form);
      if (answer.status === 401) {
        form.set("client_id", APP.id);
        form.set("code_verifier", OWN_VERIFIER);
        await ask(form);
      }
      return answer;
    }),
  },
  {
    name: "looks for the client before the grant type",
    caughtBy: ["token-checks-in-order"],
    answer: answerForm(TOKEN, async (form, ask) => {
      const answer = await ask(form);
      const client = form.get("client_id");
      return client === null || client === APP.id ? answer : errorLike(answer, "invalid_client");
    }),
  },
  {
    name: "does not end what is given back",
    caughtBy: ["revocation-ends-the-token"],
    answer: misreadForm(REVOKE, (form) => form.set("token", "none")),
  },
  {
    name: "complains about tokens that never were",
    caughtBy: ["revocation-of-unknown-tokens-is-fine"],
    answer: answerForm(REVOKE, async (form, ask) => {
      const answer = await ask(form);
      return form.get("token")?.startsWith("tre_at_") === true
        ? answer
        : errorLike(answer, "invalid_request");
    }),
  },
  {
    name: "takes any revocation for one",
    caughtBy: ["revocation-needs-token-and-client", "unknown-clients-are-invalid-client"],
    answer: changeResponse(
      (answer, exchange) => isError(answer) && pathOf(exchange) === REVOKE,
      (answer) => withStatus(answer, 200),
    ),
  },
];
