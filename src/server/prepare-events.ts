import type { EventsRateLimits } from "../contract/events/values.ts";
import type { LineWriter } from "../http/line-writer.ts";
import type { Configuration, EventsConfiguration } from "./configuration-schema.ts";
import { startServiceBackups } from "./backups/start-service-backups.ts";
import { createEventsService } from "./events.ts";
import { describeNotice, describeSessionsRevoked, describeUpgradeCopy } from "./notices.ts";
import { openKeyedEventsStore } from "./stored-events.ts";
import type { ServiceObservers } from "./service-observers.ts";
import { describeStore } from "./service-store.ts";
import type { ReadyService } from "./start.ts";

export async function prepareEvents(
  { listen: at, store: address, instanceKeyFile, backup, limits, ...settings }: EventsConfiguration,
  { dataDir, trustedProxies }: Configuration,
  log: LineWriter,
  observers?: ServiceObservers,
): Promise<ReadyService> {
  const tell = () => log.event(...describeSessionsRevoked("events"));
  const store = await openKeyedEventsStore({ store: address, instanceKeyFile }, dataDir, {
    onPutBack: tell,
    onUpgradeCopy: (file) => log.event(...describeUpgradeCopy("events", file)),
    observer: observers?.database("events"),
  });
  if (store.sessionsWereRevoked) tell();
  const described = await describeStore(store);
  const service = createEventsService({
    ...settings,
    limits: toRateLimits(limits),
    store,
    instanceKey: store.instanceKey,
    trustedProxies,
    log,
    ...(observers && { observer: observers.requests("events") }),
    onNotice: (notice) => log.event(...describeNotice("events", notice)),
  });
  observers?.metrics?.shared.watchEvents({ database: store.database, address, dataDir });
  const closeBackups = startServiceBackups(
    backup,
    { service: "events", store: address, dataDir, instanceKeyFile },
    log,
  );
  return {
    name: "events",
    store: described,
    origins: [{ name: "events", http: service.http, at }],
    async close() {
      await closeBackups();
      await service.close();
    },
  };
}

function toRateLimits(limits: EventsConfiguration["limits"]): EventsRateLimits {
  const perMinute = (requests: number) => ({ requests, windowSeconds: 60 });
  return {
    authorize: perMinute(limits.authorizePerMinute),
    token: perMinute(limits.tokenPerMinute),
    events: perMinute(limits.eventsPerMinute),
  };
}
