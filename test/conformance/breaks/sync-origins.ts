import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";
import {
  changeResponse,
  withHeader,
  withoutHeader,
  withStatus,
  ignoreHeader,
  readText,
  withRequestHeader,
  withText,
  toBreaks,
} from "./break.ts";
import { errorLike, type SyncBreak } from "./sync-break.ts";

const isPreflight = (_response: unknown, { method }: RawRequest) => method === "OPTIONS";

function allow(response: HttpResponse, { header }: RawRequest): HttpResponse {
  const headers = {
    ...response.headers,
    "Access-Control-Allow-Origin": header("origin") ?? "",
    "Access-Control-Allow-Methods": header("access-control-request-method") ?? "",
    "Access-Control-Allow-Headers": header("access-control-request-headers") ?? "",
    "Content-Length": "0",
  };
  return withoutHeader({ status: 204, headers, body: null }, "Content-Length");
}

export const SYNC_BREAKS_OF_ORIGINS = toBreaks<SyncBreak>({
  "foreign-origins-are-denied, foreign-origins-change-nothing, checks-run-in-order": {
    "does not look at the origin": ignoreHeader("origin", ({ method }) => method !== "OPTIONS"),
  },
  "foreign-origins-are-denied, cors-is-never-a-wildcard": {
    "lets every origin read its responses": changeResponse(
      (_response, { header }) => header("origin") !== null,
      (response, { header }) =>
        withHeader(response, "Access-Control-Allow-Origin", header("origin") ?? ""),
    ),
  },
  "foreign-origins-change-nothing": {
    "refuses another origin after the work is done": async (request, { real }) => {
      const refused = await real(request);
      if (refused.status !== 403 || request.method === "OPTIONS") return refused;
      const text = await readText(request);
      await real(withText(withRequestHeader(request, "origin", null), text));
      return refused;
    },
  },
  "own-origin-passes": {
    "refuses its own origin": changeResponse(
      (_response, { header }) => header("origin") === "https://sync.example.org",
      (response) => errorLike(response, "cors_denied"),
    ),
  },
  "foreign-origins-are-denied": {
    "lets in what only ends like its own origin": ignoreHeader("origin", ({ header }) =>
      (header("origin") ?? "").startsWith("https://sync.example.org"),
    ),
  },
  "cors-is-never-a-wildcard, configured-origins-are-let-in": {
    "allows credentials": changeResponse(
      (_response, { header }) => header("origin") !== null,
      (response) => withHeader(response, "Access-Control-Allow-Credentials", "true"),
    ),
  },
  "configured-origins-are-let-in": {
    "lets caches mix origins up": changeResponse(
      () => true,
      (response) => withoutHeader(response, "Vary"),
    ),
  },
  "preflight-allows-what-is-documented": {
    "does not know preflights": changeResponse(isPreflight, (response) =>
      withStatus(response, 405),
    ),
  },
  "preflight-allows-nothing-else": {
    "allows a trusted origin whatever its preflight asks for": changeResponse(
      (response, request) =>
        isPreflight(response, request) && request.header("origin") === "https://app.example.org",
      allow,
    ),
  },
  "preflight-of-foreign-origins-is-denied, preflight-allows-nothing-else": {
    "allows every preflight": changeResponse(isPreflight, allow),
  },
});
