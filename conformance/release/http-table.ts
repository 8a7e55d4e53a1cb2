import { isObject } from "../../src/contract/is-object.ts";
import { RELEASE_STRICTNESS } from "../../src/contract/strictness.ts";
import { CACHE } from "../../src/contract/release/routes.ts";
import { expectHeader } from "../expect.ts";
import type { HttpTable } from "../http-cases.ts";
import { expectAnyError, expectError, expectHealth } from "./expectations.ts";

const READ = ["GET", "HEAD"];

export const RELEASE_HTTP: HttpTable = {
  health: "/health",
  expectHealth(response) {
    expectHeader(response, "X-Request-Id", expectHealth(response).requestId);
    expectHeader(response, "Cache-Control", CACHE.never);
  },
  publicPaths: ["/health", "/api/v1/releases"],
  postPath: "/health",
  methodsByPath: {
    "/health": READ,
    "/download": READ,
    "/api/v1/manifest": READ,
    "/api/v1/releases": READ,
  },
  requestId: {
    // RFC 9562, 5.4: a random UUID.
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
    inWords: "a UUID of version 4",
    isTakenFromCaller: false,
  },
  strictness: RELEASE_STRICTNESS,
  codeOf: ({ error }) => (isObject(error) ? error["code"] : undefined),
  padded: { path: "/health?", expect: expectHealth },
  expectTooLong: (response) => expectError(response, "not_found"),
  expectOtherMethod: (response) => expectError(response, "not_found"),
  readRequestId: (response) => expectAnyError(response).error.requestId,
};
