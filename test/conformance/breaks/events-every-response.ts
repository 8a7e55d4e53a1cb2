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

export const EVENTS_BREAKS_OF_EVERY_RESPONSE: readonly EventsBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  {
    name: "names a token route that is not there",
    caughtBy: ["metadata-describes-the-service"],
    respond: changeOk<Body>(METADATA, (body) => ({ ...body, token_endpoint: "https://x.example" })),
  },
  {
    name: "has no metadata",
    caughtBy: ["metadata-describes-the-service"],
    respond: changeResponse(at(METADATA), (response) => errorLike(response, "not_found")),
  },
  {
    name: "believes whatever host it is asked at",
    caughtBy: ["host-headers-change-nothing"],
    respond: (request, context) =>
      changeOk<Body>(METADATA, (body) => ({
        ...body,
        issuer: `https://${request.header("x-forwarded-host") ?? "events.example.com"}`,
      }))(request, context),
  },
  {
    name: "tells its uptime",
    caughtBy: ["health-says-ok"],
    respond: changeOk<Body>("/health", (body) => ({ ...body, uptime: 1 })),
  },
  {
    name: "has no request id on a 404",
    caughtBy: ["every-answer-carries-a-request-id"],
    respond: changeResponse(hasStatus(404), (response) => withoutHeader(response, "X-Request-Id")),
  },
  {
    name: "keeps the request id of the caller",
    caughtBy: ["request-ids-are-new-for-every-request"],
    respond: changeResponse(
      (_response, { header }) => header("x-request-id") !== null,
      (response, { header }) => withHeader(response, "X-Request-Id", header("x-request-id") ?? ""),
    ),
  },
  {
    name: "lets caches keep the metadata",
    caughtBy: ["every-answer-is-never-stored"],
    respond: changeResponse(at(METADATA), (response) =>
      withHeader(response, "Cache-Control", "public"),
    ),
  },
  {
    name: "lets browsers guess the type of a 413",
    caughtBy: ["every-answer-forbids-sniffing"],
    respond: changeResponse(hasStatus(413), (response) =>
      withoutHeader(response, "X-Content-Type-Options"),
    ),
  },
  {
    name: "can be framed at the sign-in page",
    caughtBy: ["every-answer-denies-framing"],
    respond: changeResponse(at("/sign-in"), (response) =>
      withoutHeader(withoutHeader(response, "X-Frame-Options"), "Content-Security-Policy"),
    ),
  },
  {
    name: "hides errors from apps in browsers",
    caughtBy: ["apps-may-ask-from-any-origin"],
    respond: changeResponse(isError, (response) =>
      withoutHeader(response, "Access-Control-Allow-Origin"),
    ),
  },
  {
    name: "invites the cookies of foreign pages",
    caughtBy: ["apps-may-ask-from-any-origin"],
    respond: changeResponse(at(METADATA), (response) =>
      withHeader(response, "Access-Control-Allow-Credentials", "true"),
    ),
  },
  {
    name: "lets no app in a browser send its token",
    caughtBy: ["preflights-allow-what-apps-send"],
    respond: changeResponse(hasStatus(204), (response) =>
      withHeader(response, "Access-Control-Allow-Headers", "content-type"),
    ),
  },
  {
    name: "shows the sign-in page to any website",
    caughtBy: ["pages-are-for-their-own-origin"],
    respond: changeResponse(at("/sign-in"), (response) =>
      withHeader(response, "Access-Control-Allow-Origin", "*"),
    ),
  },
  {
    name: "explains errors in its own way",
    caughtBy: ["errors-have-their-form", "unknown-routes-are-not-found"],
    respond: changeResponse(hasStatus(404), (response) => withBody(response, '{"message":"no"}')),
  },
  {
    name: "stumbles over a zero byte",
    caughtBy: ["bad-input-is-never-a-server-error"],
    respond: changeResponse(
      (_response, { target }) => target.includes("%00"),
      (response) => errorLike(response, "server_error"),
    ),
  },
  {
    name: "does not say which methods there are",
    caughtBy: ["other-methods-are-405"],
    respond: changeResponse(hasStatus(405), (response) => withoutHeader(response, "Allow")),
  },
  {
    name: "reads paths in any case",
    caughtBy: ["paths-are-exact"],
    respond: changeRequest((request) =>
      withTarget(
        request,
        request.target.replace(/^[^?]*/, (path) => path.toLowerCase()),
      ),
    ),
  },
  {
    name: "forgives a slash at the end of a path",
    caughtBy: ["paths-are-exact"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace(/(?<=.)\/$/, "")),
    ),
  },
  {
    name: "tells people of nothing in JSON",
    caughtBy: ["unknown-routes-are-not-found"],
    respond: changeResponse(hasStatus(404), (response) => errorLike(response, "not_found")),
  },
  {
    name: "has nothing at a broken escape",
    caughtBy: ["malformed-percent-encoding-is-invalid"],
    respond: changeResponse(
      ({ status }, request) => status === 400 && pathOf(request).includes("%"),
      (response) => errorLike(response, "not_found"),
    ),
  },
  {
    name: "takes half as long a target",
    caughtBy: ["over-long-targets-are-414"],
    respond: changeResponse(
      (_response, { target }) => target.length > 4096,
      (response) => errorLike(response, "invalid_request", 414),
    ),
  },
  {
    name: "fails at forms that it cannot read",
    caughtBy: ["unreadable-forms-are-invalid"],
    respond: changeResponse(at(TOKEN, 400), (response) => errorLike(response, "server_error")),
  },
];
