import { describe } from "node:test";
import { checkEventsDriver, checkReleaseDriver, checkSyncDriver } from "../../conformance/index.ts";
import { EVENTS_DRIVER_CASES } from "../../conformance/events/driver/check-events-driver.ts";
import { RELEASE_DRIVER_CASES } from "../../conformance/release/driver/check-release-driver.ts";
import { SYNC_DRIVER_CASES } from "../../conformance/sync/driver/check-sync-driver.ts";
import { EVENTS_CLIENT_BREAKS } from "./breaks/events-clients.ts";
import { UPDATE_CLIENT_BREAKS } from "./breaks/release-clients.ts";
import { SYNC_CLIENT_BREAKS } from "./breaks/sync-clients.ts";
import { runEvents } from "./drivers/events.ts";
import { runUpdate } from "./drivers/release.ts";
import { runSync } from "./drivers/sync.ts";
import { testBrokenClients } from "./test-driver.ts";

describe("a broken update client", () => {
  testBrokenClients(
    { check: checkReleaseDriver, cases: RELEASE_DRIVER_CASES, run: runUpdate },
    UPDATE_CLIENT_BREAKS,
  );
});

describe("a broken sync client", () => {
  testBrokenClients(
    { check: checkSyncDriver, cases: SYNC_DRIVER_CASES, run: runSync },
    SYNC_CLIENT_BREAKS,
  );
});

describe("a broken events client", () => {
  testBrokenClients(
    { check: checkEventsDriver, cases: EVENTS_DRIVER_CASES, run: runEvents },
    EVENTS_CLIENT_BREAKS,
  );
});
