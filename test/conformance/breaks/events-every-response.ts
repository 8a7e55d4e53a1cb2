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
  toBreaks,
} from "./break.ts";
import { at, errorLike, TOKEN, type EventsBreak } from "./events-break.ts";
import { BREAKS_OF_EVERY_SERVICE } from "./every-service.ts";

const METADATA = "/.well-known/oauth-authorization-server";

export const EVENTS_BREAKS_OF_EVERY_RESPONSE: readonly EventsBreak[] = [
  ...BREAKS_OF_EVERY_SERVICE,
  ...toBreaks<EventsBreak>({
    "metadata-describes-the-service": {
      "names a token route that is not there": changeOk<Body>(METADATA, (body) => ({
        ...body,
        token_endpoint: "https://x.example",
      })),
      "has no metadata": changeResponse(at(METADATA), (response) =>
        errorLike(response, "not_found"),
      ),
    },
    "host-headers-change-nothing": {
      "believes whatever host it is asked at": (request, context) =>
        changeOk<Body>(METADATA, (body) => ({
          ...body,
          issuer: `https://${request.header("x-forwarded-host") ?? "events.example.com"}`,
        }))(request, context),
    },
    "health-says-ok": {
      "tells its uptime": changeOk<Body>("/health", (body) => ({ ...body, uptime: 1 })),
    },
    "every-answer-carries-a-request-id": {
      "has no request id on a 404": changeResponse(hasStatus(404), (response) =>
        withoutHeader(response, "X-Request-Id"),
      ),
    },
    "request-ids-are-new-for-every-request": {
      "keeps the request id of the caller": changeResponse(
        (_response, { header }) => header("x-request-id") !== null,
        (response, { header }) =>
          withHeader(response, "X-Request-Id", header("x-request-id") ?? ""),
      ),
    },
    "every-answer-is-never-stored": {
      "lets caches keep the metadata": changeResponse(at(METADATA), (response) =>
        withHeader(response, "Cache-Control", "public"),
      ),
    },
    "every-answer-forbids-sniffing": {
      "lets browsers guess the type of a 413": changeResponse(hasStatus(413), (response) =>
        withoutHeader(response, "X-Content-Type-Options"),
      ),
    },
    "every-answer-denies-framing": {
      "can be framed at the sign-in page": changeResponse(at("/sign-in"), (response) =>
        withoutHeader(withoutHeader(response, "X-Frame-Options"), "Content-Security-Policy"),
      ),
    },
    "apps-may-ask-from-any-origin": {
      "hides errors from apps in browsers": changeResponse(isError, (response) =>
        withoutHeader(response, "Access-Control-Allow-Origin"),
      ),
      "invites the cookies of foreign pages": changeResponse(at(METADATA), (response) =>
        withHeader(response, "Access-Control-Allow-Credentials", "true"),
      ),
    },
    "preflights-allow-what-apps-send": {
      "lets no app in a browser send its token": changeResponse(hasStatus(204), (response) =>
        withHeader(response, "Access-Control-Allow-Headers", "content-type"),
      ),
    },
    "pages-are-for-their-own-origin": {
      "shows the sign-in page to any website": changeResponse(at("/sign-in"), (response) =>
        withHeader(response, "Access-Control-Allow-Origin", "*"),
      ),
    },
    "errors-have-their-form, unknown-routes-are-not-found": {
      "explains errors in its own way": changeResponse(hasStatus(404), (response) =>
        withBody(response, '{"message":"no"}'),
      ),
    },
    "bad-input-is-never-a-server-error": {
      "stumbles over a zero byte": changeResponse(
        (_response, { target }) => target.includes("%00"),
        (response) => errorLike(response, "server_error"),
      ),
    },
    "other-methods-are-405": {
      "does not say which methods there are": changeResponse(hasStatus(405), (response) =>
        withoutHeader(response, "Allow"),
      ),
    },
    "paths-are-exact": {
      "reads paths in any case": changeRequest((request) =>
        withTarget(
          request,
          request.target.replace(/^[^?]*/, (path) => path.toLowerCase()),
        ),
      ),
      "forgives a slash at the end of a path": changeRequest((request) =>
        withTarget(request, request.target.replace(/(?<=.)\/$/, "")),
      ),
    },
    "unknown-routes-are-not-found": {
      "tells people of nothing in JSON": changeResponse(hasStatus(404), (response) =>
        errorLike(response, "not_found"),
      ),
    },
    "malformed-percent-encoding-is-invalid": {
      "has nothing at a broken escape": changeResponse(
        ({ status }, request) => status === 400 && pathOf(request).includes("%"),
        (response) => errorLike(response, "not_found"),
      ),
    },
    "over-long-targets-are-414": {
      "takes half as long a target": changeResponse(
        (_response, { target }) => target.length > 4096,
        (response) => errorLike(response, "invalid_request", 414),
      ),
    },
    "unreadable-forms-are-invalid": {
      "fails at forms that it cannot read": changeResponse(at(TOKEN, 400), (response) =>
        errorLike(response, "server_error"),
      ),
    },
  }),
];
