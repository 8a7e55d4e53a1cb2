import type { ErrorResponse, Health } from "../../../src/contract/release/schemas.ts";
import { jsonResponse } from "../../../src/http/response.ts";
import {
  changeResponse,
  changeRequest,
  editBody,
  isError,
  isPath,
  pathOf,
  withHeader,
  withoutHeader,
  withStatus,
  withTarget,
  type ReleaseBreak,
  toBreaks,
} from "./break.ts";
import { BREAKS_OF_EVERY_SERVICE, FIXED_ID } from "./every-service.ts";

const always = () => true;

export const BREAKS_OF_EVERY_RESPONSE: readonly ReleaseBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  ...toBreaks<ReleaseBreak>({
    "json-answers-name-their-content-type, health-says-ok": {
      "leaves the charset out of the content type": changeResponse(
        ({ headers }) => "Content-Type" in headers,
        (response) => withHeader(response, "Content-Type", "application/json"),
      ),
    },
    "json-answers-name-their-content-type, unknown-routes-are-not-found": {
      "sends errors as a page": changeResponse(isError, (response) =>
        withHeader(response, "Content-Type", "text/html"),
      ),
    },
    "every-answer-carries-a-request-id": {
      "has no X-Request-Id on redirects": changeResponse(
        ({ status }) => status >= 300 && status < 400,
        (response) => withoutHeader(response, "X-Request-Id"),
      ),
      "has no X-Request-Id where the response has no body to show it": changeResponse(
        ({ status }) => status === 204 || status === 304,
        (response) => withoutHeader(response, "X-Request-Id"),
      ),
      "gives request ids that are no random UUIDs": changeResponse(always, (response) =>
        withHeader(response, "X-Request-Id", "6f1b2c3d-4e5f-1a6b-8c7d-9e0f1a2b3c4d"),
      ),
    },
    "every-answer-allows-any-origin, every-answer-forbids-sniffing, errors-are-never-stored": {
      "refuses over-long targets without its own headers": changeResponse(
        (_response, { target }) => target.length > 8192,
        (response) => ({
          ...response,
          headers: { "X-Request-Id": response.headers["X-Request-Id"] ?? "" },
        }),
      ),
    },
    "request-ids-are-new-for-every-request": {
      "takes the caller's request id for its own": changeResponse(
        (_response, { header }) => header("x-request-id") !== null,
        (response, { header }) =>
          withHeader(response, "X-Request-Id", header("x-request-id") ?? ""),
      ),
    },
    "error-bodies-repeat-the-request-id, health-says-ok": {
      "names another request id in the body than in the header": changeResponse(
        (response, { target }) => isError(response) || target === "/health",
        (response) =>
          editBody<Health | ErrorResponse>(response, (body) =>
            "error" in body
              ? { error: { ...body.error, requestId: FIXED_ID } }
              : { ...body, requestId: FIXED_ID },
          ),
      ),
    },
    "errors-are-never-stored": {
      "lets caches keep a 404": changeResponse(
        ({ status }) => status === 404,
        (response) => withHeader(response, "Cache-Control", "public, max-age=60"),
      ),
    },
    "health-says-ok": {
      "lets caches keep the health response": changeResponse(isPath(/^\/health$/), (response) =>
        withHeader(response, "Cache-Control", "public, max-age=60"),
      ),
      "adds a version to the health response": changeResponse(isPath(/^\/health$/), (response) =>
        editBody<Health>(response, (body) => ({ ...body, version: "1.0.0" })),
      ),
    },
    "every-answer-allows-any-origin": {
      "forbids other websites to read errors": changeResponse(isError, (response) =>
        withoutHeader(response, "Access-Control-Allow-Origin"),
      ),
      "allows the asking origin instead of any": changeResponse(
        (_response, { header }) => header("origin") !== null,
        (response, { header }) =>
          withHeader(response, "Access-Control-Allow-Origin", header("origin") ?? ""),
      ),
    },
    "preflight-is-answered-with-204": {
      "does not know preflights": changeResponse(
        (_response, { method }) => method === "OPTIONS",
        (response) => withStatus(response, 404),
      ),
    },
    "every-answer-forbids-sniffing": {
      "lets browsers guess the type of a redirect": changeResponse(
        ({ status }) => status === 302,
        (response) => withoutHeader(response, "X-Content-Type-Options"),
      ),
    },
    "credentials-change-nothing": {
      "refuses a request that carries a token": changeResponse(
        (_response, { header }) => header("authorization") !== null,
        (response) => withStatus(response, 401),
      ),
      "sets a cookie": changeResponse(always, (response) => ({
        ...response,
        cookies: ["visitor=1"],
      })),
    },
    "head-answers-like-get": {
      "leaves the headers of an error out of its HEAD": changeResponse(
        (response, { method }) => method === "HEAD" && isError(response),
        (response) => withoutHeader(response, "Cache-Control"),
      ),
    },
    "other-methods-are-not-found": {
      "sends 405 to other methods": changeResponse(
        (_response, { method }) => !["GET", "HEAD", "OPTIONS"].includes(method),
        (response) => withStatus(response, 405),
      ),
      "reads POST as GET": changeRequest((request) =>
        request.method === "POST" ? { ...request, method: "GET" } : request,
      ),
    },
    "unknown-routes-are-not-found": {
      "shows a welcome at its root": (request, { real, origin }) =>
        origin === "api" && request.target === "/" ? jsonResponse(200, "{}") : real(request),
    },
    "unknown-routes-are-not-found, unknown-versions-are-not-found": {
      "swaps the codes of unknown routes and unknown releases": changeResponse(
        ({ status }) => status === 404,
        (response) =>
          editBody<ErrorResponse>(response, ({ error }) => ({
            error: {
              ...error,
              code: error.code === "not_found" ? "release_not_found" : "not_found",
            },
          })),
      ),
    },
    "extra-path-segments-are-not-found": {
      "cuts extra segments off": async (request, { real }) => {
        const response = await real(request);
        const shorter = pathOf(request).replace(/\/[^/]*$/, "");
        return response.status === 404 ? real(withTarget(request, shorter)) : response;
      },
    },
  }),
];
