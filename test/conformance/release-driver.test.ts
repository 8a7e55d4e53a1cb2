/** `trellis conformance release --client -- DRIVER`: our update client. */
import { checkReleaseDriver } from "../../conformance/index.ts";
import { RELEASE_DRIVER_CASES } from "../../conformance/release/driver/check-release-driver.ts";
import { runUpdate } from "./drivers/release.ts";
import { testOwnClient } from "./test-driver.ts";

testOwnClient({ check: checkReleaseDriver, cases: RELEASE_DRIVER_CASES, run: runUpdate });
