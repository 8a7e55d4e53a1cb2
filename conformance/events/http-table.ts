import { EVENTS_STRICTNESS } from "../../src/contract/strictness.ts";
import { expectStatus } from "../expect.ts";
import { expectAllow, type HttpTable } from "../http-cases.ts";
import { AUTHORIZE } from "./authorize.ts";
import { expectError, expectHealth } from "./expectations.ts";
import { EVENTS, HEALTH, METADATA, REVOKE, TOKEN } from "./requests.ts";

const READ = ["GET", "HEAD"];

export const EVENTS_HTTP: HttpTable = {
  health: HEALTH,
  expectHealth,
  publicPaths: [HEALTH, METADATA, AUTHORIZE],
  postPath: TOKEN,
  methodsByPath: {
    [AUTHORIZE]: READ,
    [TOKEN]: ["POST"],
    [REVOKE]: ["POST"],
    [EVENTS]: READ,
    [METADATA]: READ,
    [HEALTH]: READ,
  },
  requestId: {
    pattern: /^[A-Za-z0-9_-]{22}$/,
    inWords: "22 Base64URL characters",
    isTakenFromCaller: false,
  },
  strictness: EVENTS_STRICTNESS,
  codeOf: ({ error }) => error,
  padded: { path: "/", expect: (response) => expectError(response, "not_found") },
  expectTooLong: (response) => expectError(response, "invalid_request", 414),
  expectOtherMethod(response, allowed) {
    expectStatus(response, 405);
    expectAllow(response, allowed);
  },
};
