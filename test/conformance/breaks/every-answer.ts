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

export const BREAKS_OF_EVERY_ANSWER: readonly ReleaseBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  {
    name: "leaves the charset out of the content type",
    caughtBy: ["json-answers-name-their-content-type", "health-says-ok"],
    answer: changeResponse(
      ({ headers }) => "Content-Type" in headers,
      (answer) => withHeader(answer, "Content-Type", "application/json"),
    ),
  },
  {
    name: "answers errors as a page",
    caughtBy: ["json-answers-name-their-content-type", "unknown-routes-are-not-found"],
    answer: changeResponse(isError, (answer) => withHeader(answer, "Content-Type", "text/html")),
  },
  {
    name: "has no X-Request-Id on redirects",
    caughtBy: ["every-answer-carries-a-request-id"],
    answer: changeResponse(
      ({ status }) => status >= 300 && status < 400,
      (answer) => withoutHeader(answer, "X-Request-Id"),
    ),
  },
  {
    name: "has no X-Request-Id where the answer has no body to show it",
    caughtBy: ["every-answer-carries-a-request-id"],
    answer: changeResponse(
      ({ status }) => status === 204 || status === 304,
      (answer) => withoutHeader(answer, "X-Request-Id"),
    ),
  },
  {
    name: "refuses over-long targets without its own headers",
    caughtBy: [
      "every-answer-allows-any-origin",
      "every-answer-forbids-sniffing",
      "errors-are-never-stored",
    ],
    answer: changeResponse(
      ({ status }) => status === 414,
      (answer) => ({
        ...answer,
        headers: { "X-Request-Id": answer.headers["X-Request-Id"] ?? "" },
      }),
    ),
  },
  {
    name: "gives request ids that are no random UUIDs",
    caughtBy: ["every-answer-carries-a-request-id"],
    answer: changeResponse(always, (answer) =>
      withHeader(answer, "X-Request-Id", "6f1b2c3d-4e5f-1a6b-8c7d-9e0f1a2b3c4d"),
    ),
  },
  {
    name: "takes the caller's request id for its own",
    caughtBy: ["request-ids-are-new-for-every-request"],
    answer: changeResponse(
      (_answer, { header }) => header("x-request-id") !== null,
      (answer, { header }) => withHeader(answer, "X-Request-Id", header("x-request-id") ?? ""),
    ),
  },
  {
    name: "names another request id in the body than in the header",
    caughtBy: ["error-bodies-repeat-the-request-id", "health-says-ok"],
    answer: changeResponse(
      (answer, { target }) => isError(answer) || target === "/health",
      (answer) =>
        editBody<Health | ErrorResponse>(answer, (body) =>
          "error" in body
            ? { error: { ...body.error, requestId: FIXED_ID } }
            : { ...body, requestId: FIXED_ID },
        ),
    ),
  },
  {
    name: "lets caches keep a 404",
    caughtBy: ["errors-are-never-stored"],
    answer: changeResponse(
      ({ status }) => status === 404,
      (answer) => withHeader(answer, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "lets caches keep the health answer",
    caughtBy: ["health-says-ok"],
    answer: changeResponse(isPath(/^\/health$/), (answer) =>
      withHeader(answer, "Cache-Control", "public, max-age=60"),
    ),
  },
  {
    name: "adds a version to the health answer",
    caughtBy: ["health-says-ok"],
    answer: changeResponse(isPath(/^\/health$/), (answer) =>
      editBody<Health>(answer, (body) => ({ ...body, version: "1.0.0" })),
    ),
  },
  {
    name: "forbids other websites to read errors",
    caughtBy: ["every-answer-allows-any-origin"],
    answer: changeResponse(isError, (answer) =>
      withoutHeader(answer, "Access-Control-Allow-Origin"),
    ),
  },
  {
    name: "allows the asking origin instead of any",
    caughtBy: ["every-answer-allows-any-origin"],
    answer: changeResponse(
      (_answer, { header }) => header("origin") !== null,
      (answer, { header }) =>
        withHeader(answer, "Access-Control-Allow-Origin", header("origin") ?? ""),
    ),
  },
  {
    name: "does not know preflights",
    caughtBy: ["preflight-is-answered-with-204"],
    answer: changeResponse(
      (_answer, { method }) => method === "OPTIONS",
      (answer) => withStatus(answer, 404),
    ),
  },
  {
    name: "lets browsers guess the type of a redirect",
    caughtBy: ["every-answer-forbids-sniffing"],
    answer: changeResponse(
      ({ status }) => status === 302,
      (answer) => withoutHeader(answer, "X-Content-Type-Options"),
    ),
  },
  {
    name: "refuses a request that carries a token",
    caughtBy: ["credentials-change-nothing"],
    answer: changeResponse(
      (_answer, { header }) => header("authorization") !== null,
      (answer) => withStatus(answer, 401),
    ),
  },
  {
    name: "sets a cookie",
    caughtBy: ["credentials-change-nothing"],
    answer: changeResponse(always, (answer) => withHeader(answer, "Set-Cookie", "visitor=1")),
  },
  {
    name: "leaves the headers of an error out of its HEAD",
    caughtBy: ["head-answers-like-get"],
    answer: changeResponse(
      (answer, { method }) => method === "HEAD" && isError(answer),
      (answer) => withoutHeader(answer, "Cache-Control"),
    ),
  },
  {
    name: "answers 405 to other methods",
    caughtBy: ["other-methods-are-not-found"],
    answer: changeResponse(
      (_answer, { method }) => !["GET", "HEAD", "OPTIONS"].includes(method),
      (answer) => withStatus(answer, 405),
    ),
  },
  {
    name: "reads POST as GET",
    caughtBy: ["other-methods-are-not-found"],
    answer: changeRequest((exchange) =>
      exchange.method === "POST" ? { ...exchange, method: "GET" } : exchange,
    ),
  },
  {
    name: "shows a welcome at its root",
    caughtBy: ["unknown-routes-are-not-found"],
    answer: (exchange, { honest, origin }) =>
      origin === "api" && exchange.target === "/" ? jsonResponse(200, "{}") : honest(exchange),
  },
  {
    name: "swaps the codes of unknown routes and unknown releases",
    caughtBy: ["unknown-routes-are-not-found", "unknown-versions-are-not-found"],
    answer: changeResponse(
      ({ status }) => status === 404,
      (answer) =>
        editBody<ErrorResponse>(answer, ({ error }) => ({
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
    answer: async (exchange, { honest }) => {
      const answer = await honest(exchange);
      const shorter = pathOf(exchange).replace(/\/[^/]*$/, "");
      return answer.status === 404 ? honest(withTarget(exchange, shorter)) : answer;
    },
  },
];
