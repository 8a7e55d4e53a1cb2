import {
  changeResponse,
  hasStatus,
  changeOk,
  changeRequest,
  isError,
  pathOf,
  withBody,
  withHeader,
  withoutHeader,
  withTarget,
  type Body,
} from "./break.ts";
import { at, errorLike, TOKEN, type EventsBreak } from "./events-break.ts";
import { BREAKS_OF_EVERY_SERVICE } from "./every-service.ts";

const METADATA = "/.well-known/oauth-authorization-server";

export const EVENTS_BREAKS_OF_EVERY_ANSWER: readonly EventsBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  {
    name: "names a token route that is not there",
    caughtBy: ["metadata-describes-the-service"],
    answer: changeOk<Body>(METADATA, (body) => ({ ...body, token_endpoint: "https://x.example" })),
  },
  {
    name: "has no metadata",
    caughtBy: ["metadata-describes-the-service"],
    answer: changeResponse(at(METADATA), (answer) => errorLike(answer, "not_found")),
  },
  {
    name: "believes whatever host it is asked at",
    caughtBy: ["host-headers-change-nothing"],
    answer: (exchange, context) =>
      changeOk<Body>(METADATA, (body) => ({
        ...body,
        issuer: `https://${exchange.header("x-forwarded-host") ?? "events.example.com"}`,
      }))(exchange, context),
  },
  {
    name: "tells its uptime",
    caughtBy: ["health-says-ok"],
    answer: changeOk<Body>("/health", (body) => ({ ...body, uptime: 1 })),
  },
  {
    name: "has no request id on a 404",
    caughtBy: ["every-answer-carries-a-request-id"],
    answer: changeResponse(hasStatus(404), (answer) => withoutHeader(answer, "X-Request-Id")),
  },
  {
    name: "keeps the request id of the caller",
    caughtBy: ["request-ids-are-new-for-every-request"],
    answer: changeResponse(
      (_answer, { header }) => header("x-request-id") !== null,
      (answer, { header }) => withHeader(answer, "X-Request-Id", header("x-request-id") ?? ""),
    ),
  },
  {
    name: "lets caches keep the metadata",
    caughtBy: ["every-answer-is-never-stored"],
    answer: changeResponse(at(METADATA), (answer) => withHeader(answer, "Cache-Control", "public")),
  },
  {
    name: "lets browsers guess the type of a 413",
    caughtBy: ["every-answer-forbids-sniffing"],
    answer: changeResponse(hasStatus(413), (answer) =>
      withoutHeader(answer, "X-Content-Type-Options"),
    ),
  },
  {
    name: "can be framed at the sign-in page",
    caughtBy: ["every-answer-denies-framing"],
    answer: changeResponse(at("/sign-in"), (answer) =>
      withoutHeader(withoutHeader(answer, "X-Frame-Options"), "Content-Security-Policy"),
    ),
  },
  {
    name: "hides errors from apps in browsers",
    caughtBy: ["apps-may-ask-from-any-origin"],
    answer: changeResponse(isError, (answer) =>
      withoutHeader(answer, "Access-Control-Allow-Origin"),
    ),
  },
  {
    name: "invites the cookies of foreign pages",
    caughtBy: ["apps-may-ask-from-any-origin"],
    answer: changeResponse(at(METADATA), (answer) =>
      withHeader(answer, "Access-Control-Allow-Credentials", "true"),
    ),
  },
  {
    name: "lets no app in a browser send its token",
    caughtBy: ["preflights-allow-what-apps-send"],
    answer: changeResponse(hasStatus(204), (answer) =>
      withHeader(answer, "Access-Control-Allow-Headers", "content-type"),
    ),
  },
  {
    name: "shows the sign-in page to any website",
    caughtBy: ["pages-are-for-their-own-origin"],
    answer: changeResponse(at("/sign-in"), (answer) =>
      withHeader(answer, "Access-Control-Allow-Origin", "*"),
    ),
  },
  {
    name: "explains errors in its own way",
    caughtBy: ["errors-have-their-form", "unknown-routes-are-not-found"],
    answer: changeResponse(hasStatus(404), (answer) => withBody(answer, '{"message":"no"}')),
  },
  {
    name: "stumbles over a zero byte",
    caughtBy: ["bad-input-is-never-a-server-error"],
    answer: changeResponse(
      (_answer, { target }) => target.includes("%00"),
      (answer) => errorLike(answer, "server_error"),
    ),
  },
  {
    name: "does not say which methods there are",
    caughtBy: ["other-methods-are-405"],
    answer: changeResponse(hasStatus(405), (answer) => withoutHeader(answer, "Allow")),
  },
  {
    name: "reads paths in any case",
    caughtBy: ["paths-are-exact"],
    answer: changeRequest((exchange) =>
      withTarget(
        exchange,
        exchange.target.replace(/^[^?]*/, (path) => path.toLowerCase()),
      ),
    ),
  },
  {
    name: "forgives a slash at the end of a path",
    caughtBy: ["paths-are-exact"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace(/(?<=.)\/$/, "")),
    ),
  },
  {
    name: "tells people of nothing in JSON",
    caughtBy: ["unknown-routes-are-not-found"],
    answer: changeResponse(hasStatus(404), (answer) => errorLike(answer, "not_found")),
  },
  {
    name: "has nothing at a broken escape",
    caughtBy: ["malformed-percent-encoding-is-invalid"],
    answer: changeResponse(
      ({ status }, exchange) => status === 400 && pathOf(exchange).includes("%"),
      (answer) => errorLike(answer, "not_found"),
    ),
  },
  {
    name: "takes half as long a target",
    caughtBy: ["over-long-targets-are-414"],
    answer: changeResponse(
      (_answer, { target }) => target.length > 4096,
      (answer) => errorLike(answer, "invalid_request", 414),
    ),
  },
  {
    name: "fails at forms that it cannot read",
    caughtBy: ["unreadable-forms-are-invalid"],
    answer: changeResponse(at(TOKEN, 400), (answer) => errorLike(answer, "server_error")),
  },
];
