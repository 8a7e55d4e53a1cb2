/** `trellis conformance sync --client -- DRIVER`: our sync client, and broken ones. */
import { checkSyncDriver, SYNC_DRIVER_CASES } from "../../conformance/index.ts";
import { SYNC_CLIENT_BREAKS } from "./breaks/sync-clients.ts";
import { runSync } from "./drivers/sync.ts";
import { testDriver } from "./test-driver.ts";

testDriver({
  check: checkSyncDriver,
  cases: SYNC_DRIVER_CASES,
  run: runSync,
  breaks: SYNC_CLIENT_BREAKS,
});
