import { STORED_EVENTS } from "../../../server/stored-events.ts";
import type { KeyService } from "../store/key-service.ts";
import { withEventsStore } from "./open-store.ts";

export const eventsKeys: KeyService = {
  ...STORED_EVENTS,
  note: "Passwords, connected apps, browsers and subscriptions stay as they are.",
  withDatabase: (context, work) =>
    withEventsStore(context, "read", ({ database }) => work(database)),
};
