import {
  changeResponse,
  hasStatus,
  isError,
  pathOf,
  withHeader,
  withoutHeader,
  withStatus,
  changeOk,
  changeQuery,
  ignoreHeader,
  queryValue,
  readAnswer,
  withRequestHeader,
  type Body,
} from "./break.ts";
import { BREAKS_OF_EVERY_SERVICE, FIXED_ID } from "./every-service.ts";
import { changeError, errorLike, type SyncBreak } from "./sync-break.ts";

const always = () => true;
const dropHeader = (name: string, status: number) =>
  changeResponse(hasStatus(status), (answer) => withoutHeader(answer, name));

export const SYNC_BREAKS_OF_EVERY_ANSWER: readonly SyncBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  {
    name: "tells its uptime",
    caughtBy: ["health-says-ok"],
    answer: changeOk<Body>("/v1/health", (body) => ({ ...body, uptime: 1 })),
  },
  {
    name: "claims to take plain challenges",
    caughtBy: ["capabilities-name-what-the-instance-can-do"],
    answer: changeOk<{ authentication: Body }>("/v1/capabilities", ({ authentication }) => {
      authentication["pkceMethods"] = ["plain", "S256"];
    }),
  },
  {
    name: "names limits that nobody may set",
    caughtBy: ["capabilities-name-what-the-instance-can-do"],
    answer: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
      sync["maximumPullOperations"] = 100_000;
    }),
  },
  {
    name: "says that it has no account",
    caughtBy: ["instance-info-names-the-instance"],
    answer: changeOk<Body>("/v1/instance-info", (body) => ({ ...body, initialized: false })),
  },
  {
    name: "names the address that it was asked at",
    caughtBy: ["instance-info-names-the-instance"],
    answer: changeOk<Body>("/v1/instance-info", (body) => ({ ...body, baseUrl: "http://x" })),
  },
  {
    name: "refuses a wrong token also where none is needed",
    caughtBy: ["public-routes-need-no-token"],
    answer: changeResponse(
      (_answer, exchange) =>
        exchange.header("authorization") !== null && pathOf(exchange) === "/v1/health",
      (answer) => errorLike(answer, "invalid_access_token"),
    ),
  },
  {
    name: "lets caches keep a 404",
    caughtBy: ["every-answer-is-never-stored"],
    answer: changeResponse(hasStatus(404), (answer) =>
      withHeader(answer, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "can be framed where a body is too large",
    caughtBy: ["every-answer-denies-framing"],
    answer: changeResponse(hasStatus(413), (answer) =>
      withoutHeader(withoutHeader(answer, "X-Frame-Options"), "Content-Security-Policy"),
    ),
  },
  {
    name: "lets browsers guess the type of a 414",
    caughtBy: ["every-answer-forbids-sniffing"],
    answer: dropHeader("X-Content-Type-Options", 414),
  },
  {
    name: "sends a referrer from the sign-in page",
    caughtBy: ["every-answer-sends-no-referrer"],
    answer: changeResponse(
      (_answer, exchange) => pathOf(exchange) === "/v1/authorize",
      (answer) => withHeader(answer, "Referrer-Policy", "same-origin"),
    ),
  },
  {
    name: "lets other origins embed a 405",
    caughtBy: ["every-answer-isolates-its-resources"],
    answer: dropHeader("Cross-Origin-Resource-Policy", 405),
  },
  {
    name: "leaves the camera to whoever is refused",
    caughtBy: ["every-answer-disables-browser-capabilities"],
    answer: changeResponse(hasStatus(403), (answer) =>
      withHeader(answer, "Permissions-Policy", "geolocation=(), microphone=()"),
    ),
  },
  {
    name: "sets a cookie",
    caughtBy: ["every-answer-sets-no-cookie"],
    answer: changeResponse(always, (answer) => withHeader(answer, "Set-Cookie", "session=1")),
  },
  {
    name: "has no request id on a 415",
    caughtBy: ["every-answer-carries-a-request-id"],
    answer: dropHeader("X-Request-Id", 415),
  },
  {
    name: "does not keep the caller's request id",
    caughtBy: ["safe-request-ids-are-kept"],
    answer: ignoreHeader("x-request-id"),
  },
  {
    name: "keeps any request id of the caller",
    caughtBy: ["unsafe-request-ids-are-replaced"],
    answer: changeResponse(
      (_answer, { header }) => header("x-request-id") !== null,
      (answer, { header }) => withHeader(answer, "X-Request-Id", header("x-request-id") ?? ""),
    ),
  },
  {
    name: "names another request id in the body than in the header",
    caughtBy: ["error-bodies-repeat-the-request-id"],
    answer: changeError(always, () => ({ requestId: FIXED_ID })),
  },
  {
    name: "tells the caller what it was sent",
    caughtBy: ["errors-never-repeat-the-content"],
    answer: changeError(always, ({ message }, { target }) => ({
      message: `${message}: ${target}`,
    })),
  },
  {
    name: "tells the caller what the store said",
    caughtBy: ["errors-never-repeat-the-content"],
    answer: changeError(
      ({ error }) => error === "invalid_grant" || error === "invalid_cursor",
      () => ({ message: "SQLITE_ERROR: no such column at Statement.run (/srv/store.ts:1)" }),
    ),
  },
  {
    name: "answers 500 to a body that it cannot parse",
    caughtBy: ["bad-input-is-never-a-server-error", "unparsable-bodies-are-invalid-json"],
    answer: changeError(
      ({ error }) => error === "invalid_json",
      (_error, _exchange, answer) => errorLike(answer, "internal_error"),
    ),
  },
  {
    name: "shows a welcome at its root",
    caughtBy: ["unknown-routes-are-not-found"],
    answer: changeResponse(
      (_answer, { target }) => target === "/",
      (answer) => withStatus(answer, 200),
    ),
  },
  {
    name: "looks at the query of a route that does not exist",
    caughtBy: ["unknown-routes-are-not-found"],
    answer: changeResponse(
      ({ status }, { target }) => status === 404 && target.includes("?"),
      (answer) => errorLike(answer, "invalid_request"),
    ),
  },
  {
    name: "does not tell upper case from lower case",
    caughtBy: ["paths-are-exact"],
    answer: (exchange, { honest }) =>
      honest({ ...exchange, target: exchange.target.replace(/^[^?]*/, (p) => p.toLowerCase()) }),
  },
  {
    name: "does not decode a path",
    caughtBy: ["paths-are-decoded-once"],
    answer: changeResponse(
      (_answer, exchange) => pathOf(exchange).includes("%"),
      (answer) => errorLike(answer, "not_found"),
    ),
  },
  {
    name: "reads a broken escape as the letters that it has",
    caughtBy: ["malformed-percent-encoding-is-invalid"],
    answer: (exchange, { honest }) =>
      honest({ ...exchange, target: exchange.target.replaceAll(/%(?![0-9A-F]{2})/gi, "%25") }),
  },
  {
    name: "answers 405 without Allow",
    caughtBy: ["other-methods-are-405"],
    answer: dropHeader("Allow", 405),
  },
  {
    name: "takes half as long a target",
    caughtBy: ["over-long-targets-are-414"],
    answer: changeResponse(
      (_answer, { target }) => target.length > 4096,
      (answer) => errorLike(answer, "request_target_too_large"),
    ),
  },
  {
    name: "asks who it is before it looks at the query",
    caughtBy: ["checks-run-in-order"],
    answer: changeResponse(
      ({ status }, exchange) =>
        status === 400 &&
        pathOf(exchange) === "/v1/pull" &&
        exchange.header("authorization") === null,
      (answer) => errorLike(answer, "invalid_access_token"),
    ),
  },
  {
    name: "reads a stranger's body before it asks who it is",
    caughtBy: ["checks-run-in-order"],
    answer: changeResponse(
      ({ status }, { header }) => status === 401 && Number(header("content-length") ?? 0) > 262_144,
      (answer) => errorLike(answer, "payload_too_large"),
    ),
  },
  {
    name: "ignores query parameters that it does not know",
    caughtBy: [
      "unknown-query-parameters-are-refused",
      "tokens-are-not-taken-from-the-query",
      "authorize-takes-no-other-parameters",
    ],
    answer: (exchange, { honest }) =>
      exchange.target.includes("?")
        ? honest(
            changeQuery(exchange, (query) => {
              const others = ["cache", "x", "access_token", "Cursor", "", "client_id", "State"];
              for (const name of [...others, "scope", "code_challenge_method"]) query.delete(name);
            }),
          )
        : honest(exchange),
  },
  {
    name: "takes a token from the query",
    caughtBy: ["tokens-are-not-taken-from-the-query"],
    answer: (exchange, { honest }) => {
      const token = queryValue(exchange, "access_token");
      if (token === null) return honest(exchange);
      const stripped = changeQuery(exchange, (query) => query.delete("access_token"));
      return honest(withRequestHeader(stripped, "authorization", `Bearer ${token}`));
    },
  },
  {
    name: "takes the first of two values",
    caughtBy: ["repeated-query-parameters-are-invalid"],
    answer: (exchange, { honest }) =>
      honest(
        changeQuery(exchange, (query) => {
          for (const name of new Set(query.keys())) query.set(name, query.get(name) ?? "");
        }),
      ),
  },
  {
    name: "reads numbers as JavaScript does",
    caughtBy: ["numbers-in-queries-are-canonical"],
    answer: (exchange, { honest }) =>
      honest(
        changeQuery(exchange, (query) => {
          const limit = query.get("limit");
          if (limit !== null) query.set("limit", String(Number(limit)));
        }),
      ),
  },
  {
    name: "answers errors as pages",
    caughtBy: ["unknown-routes-are-not-found", "protected-routes-need-a-token"],
    answer: async (exchange, { honest }) => {
      const answer = await honest(exchange);
      if (!isError(answer)) return answer;
      const text = await readAnswer(answer);
      return { ...withHeader(answer, "Content-Type", "text/html"), body: text };
    },
  },
];
