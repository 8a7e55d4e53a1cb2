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
  readResponseBody,
  withRequestHeader,
  type Body,
} from "./break.ts";
import { BREAKS_OF_EVERY_SERVICE, FIXED_ID } from "./every-service.ts";
import { changeError, errorLike, type SyncBreak } from "./sync-break.ts";

const always = () => true;
const dropHeader = (name: string, status: number) =>
  changeResponse(hasStatus(status), (response) => withoutHeader(response, name));

export const SYNC_BREAKS_OF_EVERY_RESPONSE: readonly SyncBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  {
    name: "tells its uptime",
    caughtBy: ["health-says-ok"],
    respond: changeOk<Body>("/v1/health", (body) => ({ ...body, uptime: 1 })),
  },
  {
    name: "claims to take plain challenges",
    caughtBy: ["capabilities-name-what-the-instance-can-do"],
    respond: changeOk<{ authentication: Body }>("/v1/capabilities", ({ authentication }) => {
      authentication["pkceMethods"] = ["plain", "S256"];
    }),
  },
  {
    name: "names limits outside of their range",
    caughtBy: ["capabilities-name-what-the-instance-can-do"],
    respond: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
      sync["maximumPullOperations"] = 100_000;
    }),
  },
  {
    name: "names a profile that it does not have",
    caughtBy: ["capabilities-name-the-profile-that-holds"],
    respond: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
      sync["profile"] = "open";
    }),
  },
  {
    name: "says that it has no account",
    caughtBy: ["instance-info-names-the-instance"],
    respond: changeOk<Body>("/v1/instance-info", (body) => ({ ...body, initialized: false })),
  },
  {
    name: "names the address that it was asked at",
    caughtBy: ["instance-info-names-the-instance"],
    respond: changeOk<Body>("/v1/instance-info", (body) => ({ ...body, baseUrl: "http://x" })),
  },
  {
    name: "refuses a wrong token also where none is needed",
    caughtBy: ["public-routes-need-no-token"],
    respond: changeResponse(
      (_response, request) =>
        request.header("authorization") !== null && pathOf(request) === "/v1/health",
      (response) => errorLike(response, "invalid_access_token"),
    ),
  },
  {
    name: "lets caches keep a 404",
    caughtBy: ["every-answer-is-never-stored"],
    respond: changeResponse(hasStatus(404), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "can be framed where a body is too large",
    caughtBy: ["every-answer-denies-framing"],
    respond: changeResponse(hasStatus(413), (response) =>
      withoutHeader(withoutHeader(response, "X-Frame-Options"), "Content-Security-Policy"),
    ),
  },
  {
    name: "lets browsers guess the type of a 414",
    caughtBy: ["every-answer-forbids-sniffing"],
    respond: dropHeader("X-Content-Type-Options", 414),
  },
  {
    name: "sends a referrer from the sign-in page",
    caughtBy: ["every-answer-sends-no-referrer"],
    respond: changeResponse(
      (_response, request) => pathOf(request) === "/v1/authorize",
      (response) => withHeader(response, "Referrer-Policy", "same-origin"),
    ),
  },
  {
    name: "lets other origins embed a 405",
    caughtBy: ["every-answer-isolates-its-resources"],
    respond: dropHeader("Cross-Origin-Resource-Policy", 405),
  },
  {
    name: "leaves the camera to the sender of a refused request",
    caughtBy: ["every-answer-disables-browser-capabilities"],
    respond: changeResponse(hasStatus(403), (response) =>
      withHeader(response, "Permissions-Policy", "geolocation=(), microphone=()"),
    ),
  },
  {
    name: "sets a cookie",
    caughtBy: ["every-answer-sets-no-cookie"],
    respond: changeResponse(always, (response) => ({ ...response, cookies: ["session=1"] })),
  },
  {
    name: "has no request id on a 415",
    caughtBy: ["every-answer-carries-a-request-id"],
    respond: dropHeader("X-Request-Id", 415),
  },
  {
    name: "does not keep the caller's request id",
    caughtBy: ["safe-request-ids-are-kept"],
    respond: ignoreHeader("x-request-id"),
  },
  {
    name: "keeps any request id of the caller",
    caughtBy: ["unsafe-request-ids-are-replaced"],
    respond: changeResponse(
      (_response, { header }) => header("x-request-id") !== null,
      (response, { header }) => withHeader(response, "X-Request-Id", header("x-request-id") ?? ""),
    ),
  },
  {
    name: "names another request id in the body than in the header",
    caughtBy: ["error-bodies-repeat-the-request-id"],
    respond: changeError(always, () => ({ requestId: FIXED_ID })),
  },
  {
    name: "tells the caller what it was sent",
    caughtBy: ["errors-never-repeat-the-content"],
    respond: changeError(always, ({ message }, { target }) => ({
      message: `${message}: ${target}`,
    })),
  },
  {
    name: "tells the caller what the store said",
    caughtBy: ["errors-never-repeat-the-content"],
    respond: changeError(
      ({ error }) => error === "invalid_grant" || error === "invalid_cursor",
      () => ({ message: "SQLITE_ERROR: no such column at Statement.run (/srv/store.ts:1)" }),
    ),
  },
  {
    name: "sends 500 to a body that it cannot parse",
    caughtBy: ["bad-input-is-never-a-server-error", "unparsable-bodies-are-invalid-json"],
    respond: changeError(
      ({ error }) => error === "invalid_json",
      (_error, _request, response) => errorLike(response, "internal_error"),
    ),
  },
  {
    name: "shows a welcome at its root",
    caughtBy: ["unknown-routes-are-not-found"],
    respond: changeResponse(
      (_response, { target }) => target === "/",
      (response) => withStatus(response, 200),
    ),
  },
  {
    name: "looks at the query of a route that does not exist",
    caughtBy: ["unknown-routes-are-not-found"],
    respond: changeResponse(
      ({ status }, { target }) => status === 404 && target.includes("?"),
      (response) => errorLike(response, "invalid_request"),
    ),
  },
  {
    name: "does not tell upper case from lower case",
    caughtBy: ["paths-are-exact"],
    respond: (request, { real }) =>
      real({ ...request, target: request.target.replace(/^[^?]*/, (p) => p.toLowerCase()) }),
  },
  {
    name: "does not decode a path",
    caughtBy: ["paths-are-decoded-once"],
    respond: changeResponse(
      (_response, request) => pathOf(request).includes("%"),
      (response) => errorLike(response, "not_found"),
    ),
  },
  {
    name: "reads a broken escape as the letters that it has",
    caughtBy: ["malformed-percent-encoding-is-invalid"],
    respond: (request, { real }) =>
      real({ ...request, target: request.target.replaceAll(/%(?![0-9A-F]{2})/gi, "%25") }),
  },
  {
    name: "sends 405 without Allow",
    caughtBy: ["other-methods-are-405"],
    respond: dropHeader("Allow", 405),
  },
  {
    name: "takes half as long a target",
    caughtBy: ["over-long-targets-are-414"],
    respond: changeResponse(
      (_response, { target }) => target.length > 4096,
      (response) => errorLike(response, "request_target_too_large"),
    ),
  },
  {
    name: "asks who it is before it looks at the query",
    caughtBy: ["checks-run-in-order"],
    respond: changeResponse(
      ({ status }, request) =>
        status === 400 &&
        pathOf(request) === "/v1/pull" &&
        request.header("authorization") === null,
      (response) => errorLike(response, "invalid_access_token"),
    ),
  },
  {
    name: "reads a stranger's body before it asks who it is",
    caughtBy: ["checks-run-in-order"],
    respond: changeResponse(
      ({ status }, { header }) => status === 401 && Number(header("content-length") ?? 0) > 262_144,
      (response) => errorLike(response, "payload_too_large"),
    ),
  },
  {
    name: "ignores query parameters that it does not know",
    caughtBy: [
      "unknown-query-parameters-are-refused",
      "tokens-are-not-taken-from-the-query",
      "authorize-takes-no-other-parameters",
    ],
    respond: (request, { real }) =>
      request.target.includes("?")
        ? real(
            changeQuery(request, (query) => {
              const others = ["cache", "x", "access_token", "Cursor", "", "client_id", "State"];
              for (const name of [...others, "scope", "code_challenge_method"]) query.delete(name);
            }),
          )
        : real(request),
  },
  {
    name: "takes a token from the query",
    caughtBy: ["tokens-are-not-taken-from-the-query"],
    respond: (request, { real }) => {
      const token = queryValue(request, "access_token");
      if (token === null) return real(request);
      const stripped = changeQuery(request, (query) => query.delete("access_token"));
      return real(withRequestHeader(stripped, "authorization", `Bearer ${token}`));
    },
  },
  {
    name: "takes the first of two values",
    caughtBy: ["repeated-query-parameters-are-invalid"],
    respond: (request, { real }) =>
      real(
        changeQuery(request, (query) => {
          for (const name of new Set(query.keys())) query.set(name, query.get(name) ?? "");
        }),
      ),
  },
  {
    name: "reads numbers as JavaScript does",
    caughtBy: ["numbers-in-queries-are-canonical"],
    respond: (request, { real }) =>
      real(
        changeQuery(request, (query) => {
          const limit = query.get("limit");
          if (limit !== null) query.set("limit", String(Number(limit)));
        }),
      ),
  },
  {
    name: "sends errors as pages",
    caughtBy: ["unknown-routes-are-not-found", "protected-routes-need-a-token"],
    respond: async (request, { real }) => {
      const response = await real(request);
      if (!isError(response)) return response;
      const text = await readResponseBody(response);
      return { ...withHeader(response, "Content-Type", "text/html"), body: text };
    },
  },
];
