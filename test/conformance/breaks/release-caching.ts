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
} from "./break.ts";

const VALIDATED = /^\/api\/v1\/(?:manifest|releases)/;

export const BREAKS_OF_CACHING: readonly ReleaseBreak[] = [
  {
    name: "lets caches keep the list for a day",
    caughtBy: ["current-answers-are-kept-for-minutes"],
    respond: changeResponse(isOk(/^\/api\/v1\/releases$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400"),
    ),
  },
  {
    name: "calls the latest release immutable",
    caughtBy: ["current-answers-are-kept-for-minutes"],
    respond: changeResponse(isOk(/\/latest$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400, s-maxage=31536000, immutable"),
    ),
  },
  {
    name: "lets caches keep a concrete release for minutes only",
    caughtBy: ["published-releases-are-immutable"],
    respond: changeResponse(isOk(/\/downloads$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  {
    name: "changes the ETag with every request",
    caughtBy: ["etags-are-strong-and-stable"],
    respond: changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", `"${randomUUID()}"`),
    ),
  },
  {
    name: "gives weak ETags",
    caughtBy: ["etags-are-strong-and-stable"],
    respond: changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", `W/${response.headers["ETag"]}`),
    ),
  },
  {
    name: "gives every resource the same ETag",
    caughtBy: ["etags-are-strong-and-stable"],
    respond: changeResponse(isOk(VALIDATED), (response) => withHeader(response, "ETag", '"1"')),
  },
  {
    name: "never sends 304",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeRequest((request) => ({ ...request, header: () => null })),
  },
  {
    name: "understands one validator but no list of them",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeRequest((request) => ({
      ...request,
      header: (name) => {
        const value = request.header(name);
        return name === "if-none-match" && value?.includes(",") === true ? null : value;
      },
    })),
  },
  {
    name: "sends 304 without the ETag",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeResponse(
      ({ status }) => status === 304,
      (response) => withoutHeader(response, "ETag"),
    ),
  },
  {
    name: "sends 304 with another Cache-Control",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeResponse(
      ({ status }) => status === 304,
      (response) => withHeader(response, "Cache-Control", "no-cache"),
    ),
  },
  {
    name: "sends 304 whatever the validator is",
    caughtBy: ["another-validator-answers-200"],
    respond: changeResponse(
      ({ status }, { header }) => status === 200 && header("if-none-match") !== null,
      (response) => ({ ...withStatus(response, 304), body: null }),
    ),
  },
];

const ACCEPT = "accept-encoding";

export const BREAKS_OF_ENCODINGS: readonly ReleaseBreak[] = [
  {
    name: "compresses nothing",
    caughtBy: ["long-bodies-are-compressed"],
    respond: ignoreHeader(ACCEPT),
  },
  {
    name: "knows gzip alone",
    caughtBy: ["long-bodies-are-compressed"],
    respond: changeRequest((request) =>
      withRequestHeader(request, ACCEPT, request.header(ACCEPT)?.replace("br", "none") ?? null),
    ),
  },
  {
    name: "compresses everything but the archive",
    caughtBy: ["long-bodies-are-compressed"],
    respond: ignoreHeader(ACCEPT, (request) => pathOf(request).startsWith("/feeds/archive/")),
  },
  {
    name: "sends brotli to clients that accept gzip",
    caughtBy: ["long-bodies-are-compressed"],
    respond: changeRequest((request) =>
      withRequestHeader(request, ACCEPT, request.header(ACCEPT) === "gzip" ? "br" : null),
    ),
  },
  {
    name: "does not say that the response varies",
    caughtBy: ["long-bodies-are-compressed"],
    respond: changeResponse(isOk(VALIDATED), (response) => withoutHeader(response, "Vary")),
  },
  {
    name: "compresses for clients that accept nothing",
    caughtBy: ["accept-encoding-weights-decide"],
    respond: changeRequest((request) =>
      withRequestHeader(request, ACCEPT, request.header(ACCEPT) ?? "gzip"),
    ),
  },
  {
    name: "reads the names of encodings and not their weights",
    caughtBy: ["accept-encoding-weights-decide"],
    respond: changeRequest((request) =>
      withRequestHeader(
        request,
        ACCEPT,
        request.header(ACCEPT)?.replaceAll(/;q=[\d.]+/g, "") ?? null,
      ),
    ),
  },
  {
    name: "gives every encoding the ETag of the content",
    caughtBy: ["each-encoding-has-its-own-etag"],
    respond: async (request, { real }) => {
      const response = await real(request);
      const plain = await real(withRequestHeader(request, ACCEPT, null));
      const { ETag: etag } = plain.headers;
      return etag === undefined ? response : withHeader(response, "ETag", etag);
    },
  },
  {
    name: "knows the ETag of the encoding that it would send alone",
    caughtBy: ["if-none-match-knows-every-encoding"],
    respond: async (request, { real }) => {
      const full = await real(withRequestHeader(request, "if-none-match", null));
      const asked = request.header("if-none-match");
      return asked?.includes(full.headers["ETag"] ?? "") === true ? real(request) : full;
    },
  },
  {
    name: "sends 304 without Vary",
    caughtBy: ["if-none-match-knows-every-encoding"],
    respond: changeResponse(
      ({ status }) => status === 304,
      (response) => withoutHeader(response, "Vary"),
    ),
  },
  {
    name: "tells HEAD of the response without an encoding",
    caughtBy: ["head-has-the-encoding-of-get"],
    respond: ignoreHeader(ACCEPT, ({ method }) => method === "HEAD"),
  },
];
