import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request-context.ts";
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

const isPreflight = (_answer: unknown, { method }: RawRequest) => method === "OPTIONS";

function allow(answer: HttpResponse, { header }: RawRequest): HttpResponse {
  const headers = {
    ...answer.headers,
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
    answer: ignoreHeader("origin", ({ method }) => method !== "OPTIONS"),
  },
  {
    name: "lets every origin read its answers",
    caughtBy: ["foreign-origins-are-denied", "cors-is-never-a-wildcard"],
    answer: changeResponse(
      (_answer, { header }) => header("origin") !== null,
      (answer, { header }) =>
        withHeader(answer, "Access-Control-Allow-Origin", header("origin") ?? ""),
    ),
  },
  {
    name: "refuses another origin after the work is done",
    caughtBy: ["foreign-origins-change-nothing"],
    answer: async (exchange, { honest }) => {
      const refused = await honest(exchange);
      if (refused.status !== 403 || exchange.method === "OPTIONS") return refused;
      const text = await readText(exchange);
      await honest(withText(withRequestHeader(exchange, "origin", null), text));
      return refused;
    },
  },
  {
    name: "refuses its own origin",
    caughtBy: ["own-origin-passes"],
    answer: changeResponse(
      (_answer, { header }) => header("origin") === "https://sync.example.org",
      (answer) => errorLike(answer, "cors_denied"),
    ),
  },
  {
    name: "lets in what only ends like its own origin",
    caughtBy: ["foreign-origins-are-denied"],
    answer: ignoreHeader("origin", ({ header }) =>
      (header("origin") ?? "").startsWith("https://sync.example.org"),
    ),
  },
  {
    name: "allows credentials",
    caughtBy: ["cors-is-never-a-wildcard", "configured-origins-are-let-in"],
    answer: changeResponse(
      (_answer, { header }) => header("origin") !== null,
      (answer) => withHeader(answer, "Access-Control-Allow-Credentials", "true"),
    ),
  },
  {
    name: "lets caches mix origins up",
    caughtBy: ["configured-origins-are-let-in"],
    answer: changeResponse(
      () => true,
      (answer) => withoutHeader(answer, "Vary"),
    ),
  },
  {
    name: "does not know preflights",
    caughtBy: ["preflight-allows-what-is-documented"],
    answer: changeResponse(isPreflight, (answer) => withStatus(answer, 405)),
  },
  {
    name: "allows a trusted origin whatever its preflight asks for",
    caughtBy: ["preflight-allows-nothing-else"],
    answer: changeResponse(
      (answer, exchange) =>
        isPreflight(answer, exchange) && exchange.header("origin") === "https://app.example.org",
      allow,
    ),
  },
  {
    name: "allows every preflight",
    caughtBy: ["preflight-of-foreign-origins-is-denied", "preflight-allows-nothing-else"],
    answer: changeResponse(isPreflight, allow),
  },
];
