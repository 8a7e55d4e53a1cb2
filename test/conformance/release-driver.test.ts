/** `trellis conformance release --client`: our update client, and broken ones. */
import { checkReleaseDriver, RELEASE_DRIVER_CASES } from "../../conformance/index.ts";
import { UPDATE_CLIENT_BREAKS } from "./breaks/release-clients.ts";
import { runUpdate } from "./drivers/release.ts";
import { testDriver } from "./test-driver.ts";

testDriver({
  check: checkReleaseDriver,
  cases: RELEASE_DRIVER_CASES,
  run: runUpdate,
  breaks: UPDATE_CLIENT_BREAKS,
});
