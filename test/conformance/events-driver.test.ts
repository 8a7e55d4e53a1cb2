/** `trellis conformance events --client`: our events client, and broken ones. */
import { checkEventsDriver, EVENTS_DRIVER_CASES } from "../../conformance/index.ts";
import { EVENTS_CLIENT_BREAKS } from "./breaks/events-clients.ts";
import { runEvents } from "./drivers/events.ts";
import { PATIENCE_CASES } from "./patience-cases.ts";
import { testDriver } from "./test-driver.ts";

testDriver({
  check: checkEventsDriver,
  cases: EVENTS_DRIVER_CASES,
  elsewhere: PATIENCE_CASES,
  run: runEvents,
  breaks: EVENTS_CLIENT_BREAKS,
});
