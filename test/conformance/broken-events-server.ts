import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventsInput } from "../../conformance/index.ts";
import type { EventChange, EventsStore } from "../../src/events/store.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { createEventsService, openEventsStore } from "../../src/events/index.ts";
import { ACCOUNT, APP, type EventsBreak } from "./breaks/events-break.ts";
import { breakService, serveBroken } from "./serve-broken.ts";

const PUBLIC_URL = "https://events.example.com";

const DAY_MS = 86_400_000;
const PLENTY = { requests: 100_000, windowSeconds: 60 };
import { addEventsAccount } from "../events/add-account.ts";

export interface BrokenEventsServers {
  /** Serves a new store with the break in place. */
  serve<T>(broken: EventsBreak | null, use: (input: EventsInput) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function createBrokenEventsServers(): Promise<BrokenEventsServers> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-broken-events-"));
  const instanceKey = createInstanceKey(new Uint8Array(32).fill(7));
  const template = join(folder, "template.db");
  // One account and salt for all servers: the slow key derivation then runs once.
  const store = await openEventsStore(`sqlite:${template}`, folder);
  const accountId = await addEventsAccount(store, instanceKey, ACCOUNT);
  if (accountId === null) throw new Error("Cannot create the account");
  await writeEvents(store, accountId);
  await store.close();
  let count = 0;

  return {
    async serve(broken, use) {
      const own = join(folder, String(++count));
      await mkdir(own);
      await copyFile(template, join(own, "events.db"));
      const real = await openEventsStore(`sqlite:${join(own, "events.db")}`, own);
      const service = createEventsService({
        instanceKey,
        baseUrl: PUBLIC_URL,
        serviceName: "Planner",
        clients: [APP],
        limits: { authorize: PLENTY, token: PLENTY, events: PLENTY },
        subscriptions: { isFetching: false },
        store: broken?.store?.(real) ?? real,
      });
      const response = broken?.createResponder?.() ?? broken?.respond;
      const listener = await serveBroken(breakService(service.http, response), broken?.tamper);
      try {
        return await use({
          baseUrl: listener.url,
          publicUrl: PUBLIC_URL,
          level: "trellis",
          clientId: APP.id,
          account: ACCOUNT,
          ...broken?.input,
        });
      } finally {
        listener.close();
        await service.close();
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Events that are coming, events that were, one without a date and one deleted event. */
async function writeEvents(store: EventsStore, accountId: string): Promise<void> {
  const now = Date.now();
  const put = (index: number, days: number | null): EventChange => {
    const dateAt = days === null ? null : Math.floor(now / DAY_MS + days) * DAY_MS;
    const date = dateAt === null ? null : new Date(dateAt).toISOString().slice(0, 10);
    const content = {
      type: index % 2 === 0 ? "exam" : "homework",
      subjectName: index % 3 === 0 ? null : "Mathematics",
      title: `Chapter ${index}`,
      date,
      dateAt,
    };
    const createdAt = "2026-01-05T08:00:00Z";
    return { kind: "put", eventId: `event-${index}`, content, createdAt };
  };
  const changes = [20, -20, 5, -5, 40, 11, null, -40, 7, 30].map((days, index) => put(index, days));
  await store.transaction(async ({ sources, events }) => {
    const { sourceId } = await sources.findOrAdd({
      sourceId: "manual-of-ada",
      accountId,
      kind: "manual",
      name: "manual",
      createdAt: now,
    });
    const at = now - DAY_MS;
    await events.write(accountId, sourceId, [...changes, put(99, 3)], at);
    await events.write(accountId, sourceId, [{ kind: "delete", eventId: "event-99" }], at);
  });
}
