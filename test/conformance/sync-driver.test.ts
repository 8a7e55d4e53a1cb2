/** `trellis conformance sync --client -- DRIVER`: our sync client. */
import { checkSyncDriver, SYNC_DRIVER_CASES } from "../../conformance/index.ts";
import { runSync } from "./drivers/sync.ts";
import { testOwnClient } from "./test-driver.ts";

testOwnClient({ check: checkSyncDriver, cases: SYNC_DRIVER_CASES, run: runSync });
