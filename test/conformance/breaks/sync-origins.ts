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

export const SYNC_BREAKS_OF_ORIGINS: readonly SyncBreak[] = [
  {
    name: "does not look at the origin",
    caughtBy: [
      "foreign-origins-are-denied",
      "foreign-origins-change-nothing",
      "checks-run-in-order",
    ],
    respond: ignoreHeader("origin", ({ method }) => method !== "OPTIONS"),
  },
  {
    name: "lets every origin read its responses",
    caughtBy: ["foreign-origins-are-denied", "cors-is-never-a-wildcard"],
    respond: changeResponse(
      (_response, { header }) => header("origin") !== null,
      (response, { header }) =>
        withHeader(response, "Access-Control-Allow-Origin", header("origin") ?? ""),
    ),
  },
  {
    name: "refuses another origin after the work is done",
    caughtBy: ["foreign-origins-change-nothing"],
    respond: async (request, { real }) => {
      const refused = await real(request);
      if (refused.status !== 403 || request.method === "OPTIONS") return refused;
      const text = await readText(request);
      await real(withText(withRequestHeader(request, "origin", null), text));
      return refused;
    },
  },
  {
    name: "refuses its own origin",
    caughtBy: ["own-origin-passes"],
    respond: changeResponse(
      (_response, { header }) => header("origin") === "https://sync.example.org",
      (response) => errorLike(response, "cors_denied"),
    ),
  },
  {
    name: "lets in what only ends like its own origin",
    caughtBy: ["foreign-origins-are-denied"],
    respond: ignoreHeader("origin", ({ header }) =>
      (header("origin") ?? "").startsWith("https://sync.example.org"),
    ),
  },
  {
    name: "allows credentials",
    caughtBy: ["cors-is-never-a-wildcard", "configured-origins-are-let-in"],
    respond: changeResponse(
      (_response, { header }) => header("origin") !== null,
      (response) => withHeader(response, "Access-Control-Allow-Credentials", "true"),
    ),
  },
  {
    name: "lets caches mix origins up",
    caughtBy: ["configured-origins-are-let-in"],
    respond: changeResponse(
      () => true,
      (response) => withoutHeader(response, "Vary"),
    ),
  },
  {
    name: "does not know preflights",
    caughtBy: ["preflight-allows-what-is-documented"],
    respond: changeResponse(isPreflight, (response) => withStatus(response, 405)),
  },
  {
    name: "allows a trusted origin whatever its preflight asks for",
    caughtBy: ["preflight-allows-nothing-else"],
    respond: changeResponse(
      (response, request) =>
        isPreflight(response, request) && request.header("origin") === "https://app.example.org",
      allow,
    ),
  },
  {
    name: "allows every preflight",
    caughtBy: ["preflight-of-foreign-origins-is-denied", "preflight-allows-nothing-else"],
    respond: changeResponse(isPreflight, allow),
  },
];
