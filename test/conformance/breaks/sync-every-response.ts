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
  toBreaks,
} from "./break.ts";
import { BREAKS_OF_EVERY_SERVICE, FIXED_ID } from "./every-service.ts";
import { changeError, errorLike, type SyncBreak } from "./sync-break.ts";

const always = () => true;
const dropHeader = (name: string, status: number) =>
  changeResponse(hasStatus(status), (response) => withoutHeader(response, name));

export const SYNC_BREAKS_OF_EVERY_RESPONSE: readonly SyncBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  ...toBreaks<SyncBreak>({
    "health-says-ok": {
      "tells its uptime": changeOk<Body>("/v1/health", (body) => ({ ...body, uptime: 1 })),
    },
    "capabilities-name-what-the-instance-can-do": {
      "claims to take plain challenges": changeOk<{ authentication: Body }>(
        "/v1/capabilities",
        ({ authentication }) => {
          authentication["pkceMethods"] = ["plain", "S256"];
        },
      ),
      "names limits outside of their range": changeOk<{ sync: Body }>(
        "/v1/capabilities",
        ({ sync }) => {
          sync["maximumPullOperations"] = 100_000;
        },
      ),
    },
    "capabilities-name-the-profile-that-holds": {
      "names a profile that it does not have": changeOk<{ sync: Body }>(
        "/v1/capabilities",
        ({ sync }) => {
          sync["profile"] = "open";
        },
      ),
    },
    "instance-info-names-the-instance": {
      "says that it has no account": changeOk<Body>("/v1/instance-info", (body) => ({
        ...body,
        initialized: false,
      })),
      "names the address that it was asked at": changeOk<Body>("/v1/instance-info", (body) => ({
        ...body,
        baseUrl: "http://x",
      })),
    },
    "public-routes-need-no-token": {
      "refuses a wrong token also where none is needed": changeResponse(
        (_response, request) =>
          request.header("authorization") !== null && pathOf(request) === "/v1/health",
        (response) => errorLike(response, "invalid_access_token"),
      ),
    },
    "every-answer-is-never-stored": {
      "lets caches keep a 404": changeResponse(hasStatus(404), (response) =>
        withHeader(response, "Cache-Control", "public, max-age=60"),
      ),
    },
    "every-answer-denies-framing": {
      "can be framed where a body is too large": changeResponse(hasStatus(413), (response) =>
        withoutHeader(withoutHeader(response, "X-Frame-Options"), "Content-Security-Policy"),
      ),
    },
    "every-answer-forbids-sniffing": {
      "lets browsers guess the type of a 414": dropHeader("X-Content-Type-Options", 414),
    },
    "every-answer-sends-no-referrer": {
      "sends a referrer from the sign-in page": changeResponse(
        (_response, request) => pathOf(request) === "/v1/authorize",
        (response) => withHeader(response, "Referrer-Policy", "same-origin"),
      ),
    },
    "every-answer-isolates-its-resources": {
      "lets other origins embed a 405": dropHeader("Cross-Origin-Resource-Policy", 405),
    },
    "every-answer-disables-browser-capabilities": {
      "leaves the camera to the sender of a refused request": changeResponse(
        hasStatus(403),
        (response) => withHeader(response, "Permissions-Policy", "geolocation=(), microphone=()"),
      ),
    },
    "every-answer-sets-no-cookie": {
      "sets a cookie": changeResponse(always, (response) => ({
        ...response,
        cookies: ["session=1"],
      })),
    },
    "every-answer-carries-a-request-id": {
      "has no request id on a 415": dropHeader("X-Request-Id", 415),
    },
    "safe-request-ids-are-kept": {
      "does not keep the caller's request id": ignoreHeader("x-request-id"),
    },
    "unsafe-request-ids-are-replaced": {
      "keeps any request id of the caller": changeResponse(
        (_response, { header }) => header("x-request-id") !== null,
        (response, { header }) =>
          withHeader(response, "X-Request-Id", header("x-request-id") ?? ""),
      ),
    },
    "error-bodies-repeat-the-request-id": {
      "names another request id in the body than in the header": changeError(always, () => ({
        requestId: FIXED_ID,
      })),
    },
    "errors-never-repeat-the-content": {
      "tells the caller what it was sent": changeError(always, ({ message }, { target }) => ({
        message: `${message}: ${target}`,
      })),
      "tells the caller what the store said": changeError(
        ({ error }) => error === "invalid_grant" || error === "invalid_cursor",
        () => ({ message: "SQLITE_ERROR: no such column at Statement.run (/srv/store.ts:1)" }),
      ),
    },
    "bad-input-is-never-a-server-error, unparsable-bodies-are-invalid-json": {
      "sends 500 to a body that it cannot parse": changeError(
        ({ error }) => error === "invalid_json",
        (_error, _request, response) => errorLike(response, "internal_error"),
      ),
    },
    "unknown-routes-are-not-found": {
      "shows a welcome at its root": changeResponse(
        (_response, { target }) => target === "/",
        (response) => withStatus(response, 200),
      ),
      "looks at the query of a route that does not exist": changeResponse(
        ({ status }, { target }) => status === 404 && target.includes("?"),
        (response) => errorLike(response, "invalid_request"),
      ),
    },
    "paths-are-exact": {
      "does not tell upper case from lower case": (request, { real }) =>
        real({ ...request, target: request.target.replace(/^[^?]*/, (p) => p.toLowerCase()) }),
    },
    "paths-are-decoded-once": {
      "does not decode a path": changeResponse(
        (_response, request) => pathOf(request).includes("%"),
        (response) => errorLike(response, "not_found"),
      ),
    },
    "malformed-percent-encoding-is-invalid": {
      "reads a broken escape as the letters that it has": (request, { real }) =>
        real({ ...request, target: request.target.replaceAll(/%(?![0-9A-F]{2})/gi, "%25") }),
    },
    "other-methods-are-405": {
      "sends 405 without Allow": dropHeader("Allow", 405),
    },
    "over-long-targets-are-414": {
      "takes half as long a target": changeResponse(
        (_response, { target }) => target.length > 4096,
        (response) => errorLike(response, "request_target_too_large"),
      ),
    },
    "checks-run-in-order": {
      "asks who it is before it looks at the query": changeResponse(
        ({ status }, request) =>
          status === 400 &&
          pathOf(request) === "/v1/pull" &&
          request.header("authorization") === null,
        (response) => errorLike(response, "invalid_access_token"),
      ),
      "reads a stranger's body before it asks who it is": changeResponse(
        ({ status }, { header }) =>
          status === 401 && Number(header("content-length") ?? 0) > 262_144,
        (response) => errorLike(response, "payload_too_large"),
      ),
    },
    "unknown-query-parameters-are-refused, tokens-are-not-taken-from-the-query, authorize-takes-no-other-parameters":
      {
        "ignores query parameters that it does not know": (request, { real }) =>
          request.target.includes("?")
            ? real(
                changeQuery(request, (query) => {
                  const others = ["cache", "x", "access_token", "Cursor", "", "client_id", "State"];
                  for (const name of [...others, "scope", "code_challenge_method"])
                    query.delete(name);
                }),
              )
            : real(request),
      },
    "tokens-are-not-taken-from-the-query": {
      "takes a token from the query": (request, { real }) => {
        const token = queryValue(request, "access_token");
        if (token === null) return real(request);
        const stripped = changeQuery(request, (query) => query.delete("access_token"));
        return real(withRequestHeader(stripped, "authorization", `Bearer ${token}`));
      },
    },
    "repeated-query-parameters-are-invalid": {
      "takes the first of two values": (request, { real }) =>
        real(
          changeQuery(request, (query) => {
            for (const name of new Set(query.keys())) query.set(name, query.get(name) ?? "");
          }),
        ),
    },
    "numbers-in-queries-are-canonical": {
      "reads numbers as JavaScript does": (request, { real }) =>
        real(
          changeQuery(request, (query) => {
            const limit = query.get("limit");
            if (limit !== null) query.set("limit", String(Number(limit)));
          }),
        ),
    },
    "unknown-routes-are-not-found, protected-routes-need-a-token": {
      "sends errors as pages": async (request, { real }) => {
        const response = await real(request);
        if (!isError(response)) return response;
        const text = await readResponseBody(response);
        return { ...withHeader(response, "Content-Type", "text/html"), body: text };
      },
    },
  }),
];
