import { ADDRESS_CASES } from "./cases/addresses.ts";
import { CHANGES_CASES } from "./cases/changes.ts";
import { CORS_CASES } from "./cases/cors.ts";
import { REVOCATION_CASES, THROTTLE_CASES } from "./cases/disruptive.ts";
import { EVERY_RESPONSE_CASES } from "./cases/every-response.ts";
import { LOGIN_PAGE_CASES } from "./cases/login-page.ts";
import { MERGE_CASES } from "./cases/merge.ts";
import { OPERATION_CASES } from "./cases/operations.ts";
import { PULL_CASES } from "./cases/pull.ts";
import { PUSH_CASES } from "./cases/push.ts";
import { REQUEST_BODY_CASES } from "./cases/request-bodies.ts";
import { SESSION_CASES } from "./cases/sessions.ts";
import { SIGN_IN_CASES } from "./cases/sign-in.ts";
import { TOKEN_CASES } from "./cases/tokens.ts";
import type { SyncCase } from "./server-under-test.ts";

/** The cases that do not disturb each other. */
export const CONCURRENT_SYNC_CASES: readonly SyncCase[] = [
  ...EVERY_RESPONSE_CASES,
  ...ADDRESS_CASES,
  ...CORS_CASES,
  ...LOGIN_PAGE_CASES,
  ...SIGN_IN_CASES,
  ...TOKEN_CASES,
  ...SESSION_CASES,
  ...REQUEST_BODY_CASES,
  ...PUSH_CASES,
  ...OPERATION_CASES,
  ...PULL_CASES,
  ...MERGE_CASES,
  ...CHANGES_CASES,
];

/** All cases of the sync service, in the order of the report. */
export const SYNC_CASES: readonly SyncCase[] = [
  ...CONCURRENT_SYNC_CASES,
  ...REVOCATION_CASES,
  ...THROTTLE_CASES,
];
