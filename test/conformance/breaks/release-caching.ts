import { randomUUID } from "node:crypto";
import {
  changeResponse,
  changeRequest,
  ignoreHeader,
  isOk,
  pathOf,
  withHeader,
  withoutHeader,
  withRequestHeader,
  withStatus,
  type ReleaseBreak,
  toBreaks,
} from "./break.ts";

const VALIDATED = /^\/api\/v1\/(?:manifest|releases)/;

export const BREAKS_OF_CACHING = toBreaks<ReleaseBreak>({
  "current-answers-are-kept-for-minutes": {
    "lets caches keep the list for a day": changeResponse(
      isOk(/^\/api\/v1\/releases$/),
      (response) => withHeader(response, "Cache-Control", "public, max-age=86400"),
    ),
    "calls the latest release immutable": changeResponse(isOk(/\/latest$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400, s-maxage=31536000, immutable"),
    ),
  },
  "published-releases-are-immutable": {
    "lets caches keep a concrete release for minutes only": changeResponse(
      isOk(/\/downloads$/),
      (response) => withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  "etags-are-strong-and-stable": {
    "changes the ETag with every request": changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", `"${randomUUID()}"`),
    ),
    "gives weak ETags": changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", `W/${response.headers["ETag"]}`),
    ),
    "gives every resource the same ETag": changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", '"1"'),
    ),
  },
  "if-none-match-answers-304": {
    "never sends 304": changeRequest((request) => ({ ...request, header: () => null })),
    "understands one validator but no list of them": changeRequest((request) => ({
      ...request,
      header: (name) => {
        const value = request.header(name);
        return name === "if-none-match" && value?.includes(",") === true ? null : value;
      },
    })),
    "sends 304 without the ETag": changeResponse(
      ({ status }) => status === 304,
      (response) => withoutHeader(response, "ETag"),
    ),
    "sends 304 with another Cache-Control": changeResponse(
      ({ status }) => status === 304,
      (response) => withHeader(response, "Cache-Control", "no-cache"),
    ),
  },
  "another-validator-answers-200": {
    "sends 304 whatever the validator is": changeResponse(
      ({ status }, { header }) => status === 200 && header("if-none-match") !== null,
      (response) => ({ ...withStatus(response, 304), body: null }),
    ),
  },
});

const ACCEPT = "accept-encoding";

export const BREAKS_OF_ENCODINGS = toBreaks<ReleaseBreak>({
  "long-bodies-are-compressed": {
    "compresses nothing": ignoreHeader(ACCEPT),
    "knows gzip alone": changeRequest((request) =>
      withRequestHeader(request, ACCEPT, request.header(ACCEPT)?.replace("br", "none") ?? null),
    ),
    "compresses everything but the archive": ignoreHeader(ACCEPT, (request) =>
      pathOf(request).startsWith("/feeds/archive/"),
    ),
    "sends brotli to clients that accept gzip": changeRequest((request) =>
      withRequestHeader(request, ACCEPT, request.header(ACCEPT) === "gzip" ? "br" : null),
    ),
    "does not say that the response varies": changeResponse(isOk(VALIDATED), (response) =>
      withoutHeader(response, "Vary"),
    ),
  },
  "accept-encoding-weights-decide": {
    "compresses for clients that accept nothing": changeRequest((request) =>
      withRequestHeader(request, ACCEPT, request.header(ACCEPT) ?? "gzip"),
    ),
    "reads the names of encodings and not their weights": changeRequest((request) =>
      withRequestHeader(
        request,
        ACCEPT,
        request.header(ACCEPT)?.replaceAll(/;q=[\d.]+/g, "") ?? null,
      ),
    ),
  },
  "each-encoding-has-its-own-etag": {
    "gives every encoding the ETag of the content": async (request, { real }) => {
      const response = await real(request);
      const plain = await real(withRequestHeader(request, ACCEPT, null));
      const { ETag: etag } = plain.headers;
      return etag === undefined ? response : withHeader(response, "ETag", etag);
    },
  },
  "if-none-match-knows-every-encoding": {
    "knows the ETag of the encoding that it would send alone": async (request, { real }) => {
      const full = await real(withRequestHeader(request, "if-none-match", null));
      const asked = request.header("if-none-match");
      return asked?.includes(full.headers["ETag"] ?? "") === true ? real(request) : full;
    },
    "sends 304 without Vary": changeResponse(
      ({ status }) => status === 304,
      (response) => withoutHeader(response, "Vary"),
    ),
  },
  "head-has-the-encoding-of-get": {
    "tells HEAD of the response without an encoding": ignoreHeader(
      ACCEPT,
      ({ method }) => method === "HEAD",
    ),
  },
});
