import type { EventsRateLimits } from "../contract/events/values.ts";
import type { LineWriter } from "../http/request-log.ts";
import type { Configuration, EventsConfiguration } from "../configuration/configuration-schema.ts";
import { startServiceBackups } from "../operate/backups/start-service-backups.ts";
import { createEventsService } from "../events/index.ts";
import { expectFreeDisk } from "../database/free-disk.ts";
import { logNotice, type ServiceNotice } from "../operate/notices.ts";
import type { ServiceObservers } from "../operate/service-observers.ts";
import { describeStore, type ReadyService } from "./ready-service.ts";
import { EVENTS_STORE } from "../events/sql/open-store.ts";
import { openServiceStore } from "../identity/open-service-store.ts";

export async function prepareEvents(
  section: EventsConfiguration,
  { dataDir, trustedProxies }: Configuration,
  log: LineWriter,
  observers?: ServiceObservers,
): Promise<ReadyService> {
  const onNotice = (notice: ServiceNotice) => logNotice(log, "events", notice);
  const store = await openServiceStore(EVENTS_STORE, section, dataDir, {
    database: { observer: observers?.database("events") },
    onNotice,
  });
  const { database, instanceKey } = store;
  const described = await describeStore(store, store.close);
  const service = createEventsService({
    ...section,
    limits: toRateLimits(section.limits),
    store,
    instanceKey,
    trustedProxies,
    log,
    ...(observers && { observer: observers.requests("events") }),
    onNotice,
  });
  observers?.metrics?.shared.watchEvents({ database, address: section.store, dataDir });
  let closeBackups = async () => {};
  return {
    name: "events",
    store: {
      ...described,
      async checkReady() {
        await expectFreeDisk(dataDir, section.store);
        await service.checkReady();
      },
    },
    origins: [{ name: "events", http: service.http, at: section.listen }],
    begin() {
      // A server that cannot listen leaves no backup behind.
      closeBackups = startServiceBackups("events", section, dataDir, onNotice);
    },
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
