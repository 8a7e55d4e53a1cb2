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
} from "./break.ts";
import { BREAKS_OF_EVERY_SERVICE, FIXED_ID } from "./every-service.ts";

const always = () => true;

export const BREAKS_OF_EVERY_RESPONSE: readonly ReleaseBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  {
    name: "leaves the charset out of the content type",
    caughtBy: ["json-answers-name-their-content-type", "health-says-ok"],
    respond: changeResponse(
      ({ headers }) => "Content-Type" in headers,
      (response) => withHeader(response, "Content-Type", "application/json"),
    ),
  },
  {
    name: "sends errors as a page",
    caughtBy: ["json-answers-name-their-content-type", "unknown-routes-are-not-found"],
    respond: changeResponse(isError, (response) =>
      withHeader(response, "Content-Type", "text/html"),
    ),
  },
  {
    name: "has no X-Request-Id on redirects",
    caughtBy: ["every-answer-carries-a-request-id"],
    respond: changeResponse(
      ({ status }) => status >= 300 && status < 400,
      (response) => withoutHeader(response, "X-Request-Id"),
    ),
  },
  {
    name: "has no X-Request-Id where the response has no body to show it",
    caughtBy: ["every-answer-carries-a-request-id"],
    respond: changeResponse(
      ({ status }) => status === 204 || status === 304,
      (response) => withoutHeader(response, "X-Request-Id"),
    ),
  },
  {
    name: "refuses over-long targets without its own headers",
    caughtBy: [
      "every-answer-allows-any-origin",
      "every-answer-forbids-sniffing",
      "errors-are-never-stored",
    ],
    respond: changeResponse(
      (_response, { target }) => target.length > 8192,
      (response) => ({
        ...response,
        headers: { "X-Request-Id": response.headers["X-Request-Id"] ?? "" },
      }),
    ),
  },
  {
    name: "gives request ids that are no random UUIDs",
    caughtBy: ["every-answer-carries-a-request-id"],
    respond: changeResponse(always, (response) =>
      withHeader(response, "X-Request-Id", "6f1b2c3d-4e5f-1a6b-8c7d-9e0f1a2b3c4d"),
    ),
  },
  {
    name: "takes the caller's request id for its own",
    caughtBy: ["request-ids-are-new-for-every-request"],
    respond: changeResponse(
      (_response, { header }) => header("x-request-id") !== null,
      (response, { header }) => withHeader(response, "X-Request-Id", header("x-request-id") ?? ""),
    ),
  },
  {
    name: "names another request id in the body than in the header",
    caughtBy: ["error-bodies-repeat-the-request-id", "health-says-ok"],
    respond: changeResponse(
      (response, { target }) => isError(response) || target === "/health",
      (response) =>
        editBody<Health | ErrorResponse>(response, (body) =>
          "error" in body
            ? { error: { ...body.error, requestId: FIXED_ID } }
            : { ...body, requestId: FIXED_ID },
        ),
    ),
  },
  {
    name: "lets caches keep a 404",
    caughtBy: ["errors-are-never-stored"],
    respond: changeResponse(
      ({ status }) => status === 404,
      (response) => withHeader(response, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "lets caches keep the health response",
    caughtBy: ["health-says-ok"],
    respond: changeResponse(isPath(/^\/health$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "adds a version to the health response",
    caughtBy: ["health-says-ok"],
    respond: changeResponse(isPath(/^\/health$/), (response) =>
      editBody<Health>(response, (body) => ({ ...body, version: "1.0.0" })),
    ),
  },
  {
    name: "forbids other websites to read errors",
    caughtBy: ["every-answer-allows-any-origin"],
    respond: changeResponse(isError, (response) =>
      withoutHeader(response, "Access-Control-Allow-Origin"),
    ),
  },
  {
    name: "allows the asking origin instead of any",
    caughtBy: ["every-answer-allows-any-origin"],
    respond: changeResponse(
      (_response, { header }) => header("origin") !== null,
      (response, { header }) =>
        withHeader(response, "Access-Control-Allow-Origin", header("origin") ?? ""),
    ),
  },
  {
    name: "does not know preflights",
    caughtBy: ["preflight-is-answered-with-204"],
    respond: changeResponse(
      (_response, { method }) => method === "OPTIONS",
      (response) => withStatus(response, 404),
    ),
  },
  {
    name: "lets browsers guess the type of a redirect",
    caughtBy: ["every-answer-forbids-sniffing"],
    respond: changeResponse(
      ({ status }) => status === 302,
      (response) => withoutHeader(response, "X-Content-Type-Options"),
    ),
  },
  {
    name: "refuses a request that carries a token",
    caughtBy: ["credentials-change-nothing"],
    respond: changeResponse(
      (_response, { header }) => header("authorization") !== null,
      (response) => withStatus(response, 401),
    ),
  },
  {
    name: "sets a cookie",
    caughtBy: ["credentials-change-nothing"],
    respond: changeResponse(always, (response) => ({ ...response, cookies: ["visitor=1"] })),
  },
  {
    name: "leaves the headers of an error out of its HEAD",
    caughtBy: ["head-answers-like-get"],
    respond: changeResponse(
      (response, { method }) => method === "HEAD" && isError(response),
      (response) => withoutHeader(response, "Cache-Control"),
    ),
  },
  {
    name: "sends 405 to other methods",
    caughtBy: ["other-methods-are-not-found"],
    respond: changeResponse(
      (_response, { method }) => !["GET", "HEAD", "OPTIONS"].includes(method),
      (response) => withStatus(response, 405),
    ),
  },
  {
    name: "reads POST as GET",
    caughtBy: ["other-methods-are-not-found"],
    respond: changeRequest((request) =>
      request.method === "POST" ? { ...request, method: "GET" } : request,
    ),
  },
  {
    name: "shows a welcome at its root",
    caughtBy: ["unknown-routes-are-not-found"],
    respond: (request, { real, origin }) =>
      origin === "api" && request.target === "/" ? jsonResponse(200, "{}") : real(request),
  },
  {
    name: "swaps the codes of unknown routes and unknown releases",
    caughtBy: ["unknown-routes-are-not-found", "unknown-versions-are-not-found"],
    respond: changeResponse(
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
  {
    name: "cuts extra segments off",
    caughtBy: ["extra-path-segments-are-not-found"],
    respond: async (request, { real }) => {
      const response = await real(request);
      const shorter = pathOf(request).replace(/\/[^/]*$/, "");
      return response.status === 404 ? real(withTarget(request, shorter)) : response;
    },
  },
];
