import { SYNC_STRICTNESS } from "../../src/contract/strictness.ts";
import { expectAllow, type HttpTable } from "../http-cases.ts";
import { expectAnyError, expectError, expectHealth } from "./expectations.ts";

const READ = ["GET", "HEAD"];

export const SYNC_HTTP: HttpTable = {
  health: "/v1/health",
  expectHealth,
  publicPaths: ["/v1/health", "/v1/authorize"],
  postPath: "/v1/token",
  methodsByPath: {
    "/v1/health": READ,
    "/v1/capabilities": READ,
    "/v1/instance-info": READ,
    "/v1/authorize": ["GET", "HEAD", "POST"],
    "/v1/token": ["POST"],
    "/v1/refresh": ["POST"],
    "/v1/revoke": ["POST"],
    "/v1/push": ["POST"],
    "/v1/pull": READ,
    "/v1/snapshot": READ,
    "/v1/device": ["GET", "HEAD", "DELETE"],
  },
  requestId: {
    pattern: /^[A-Za-z0-9_-]{22}$/,
    inWords: "22 Base64URL characters",
    isTakenFromCaller: true,
  },
  strictness: SYNC_STRICTNESS,
  codeOf: ({ error }) => error,
  padded: { path: "/", expect: (response) => expectError(response, "not_found") },
  expectTooLong: (response) => expectError(response, "request_target_too_large"),
  expectOtherMethod(response, allowed) {
    expectError(response, "method_not_allowed");
    expectAllow(response, allowed);
  },
  readRequestId: (response) => expectAnyError(response).requestId,
};
