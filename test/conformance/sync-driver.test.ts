/** `trellis conformance sync --client -- DRIVER`: our sync client. */
import { checkSyncDriver } from "../../conformance/index.ts";
import { SYNC_DRIVER_CASES } from "../../conformance/sync/driver/check-sync-driver.ts";
import { runSync } from "./drivers/sync.ts";
import { testOwnClient } from "./test-driver.ts";

testOwnClient({ check: checkSyncDriver, cases: SYNC_DRIVER_CASES, run: runSync });
