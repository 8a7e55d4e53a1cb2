import type { EventsRateLimits } from "../contract/events/values.ts";
import type { LineWriter } from "../http/request-log.ts";
import type { Configuration, EventsConfiguration } from "./configuration-schema.ts";
import { createEventsService } from "./events.ts";
import { describeNotice } from "./notices.ts";
import { openKeyedEventsStore } from "./open-events-store.ts";
import type { ReadyService } from "./start.ts";

export async function prepareEvents(
  { listen: at, store: address, instanceKeyFile, limits, ...settings }: EventsConfiguration,
  { trustedProxies }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const store = await openKeyedEventsStore({ store: address, instanceKeyFile });
  const service = createEventsService({
    ...settings,
    limits: toRateLimits(limits),
    store,
    instanceKey: store.instanceKey,
    trustedProxies,
    log: log.log,
    onNotice: (notice) => log.event(...describeNotice("events", notice)),
  });
  return { origins: [{ name: "events", http: service.http, at }], close: service.close };
}

function toRateLimits(limits: EventsConfiguration["limits"]): EventsRateLimits {
  const perMinute = (requests: number) => ({ requests, windowSeconds: 60 });
  return {
    authorize: perMinute(limits.authorizePerMinute),
    token: perMinute(limits.tokenPerMinute),
    events: perMinute(limits.eventsPerMinute),
  };
}
