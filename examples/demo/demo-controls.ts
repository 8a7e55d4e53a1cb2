/** What the buttons on the page of the demo do, one at a time. */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createSerialize } from "../../src/client/serialize.ts";
import { EVENTS_ROUTES } from "../../src/contract/events/routes.ts";
import type { Language } from "../../src/contract/language.ts";
import { RELEASE_ROUTES } from "../../src/contract/release/routes.ts";
import { SYNC_ROUTES } from "../../src/contract/sync/routes.ts";
import type { Database } from "../../src/database/database.ts";
import type { EventsStore } from "../../src/events/store.ts";
import { scanOperation, toParsedOperation } from "../../src/rules/sync/operation-text.ts";
import { readSyncStatus } from "../../src/sync/maintenance/read-status.ts";
import type { OperationSealer } from "../../src/client/encryption/operation-sealer.ts";
import type { Mirror } from "./mirror.ts";
import type { ControlResults, SeenOperation } from "./page/call-demo.ts";
import type { RunConformance } from "./run-conformance.ts";
import { readSealedWeek } from "./sealed-week.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { DEMO_ACCOUNT } from "./demo-settings.ts";
import { createEventsPerson, createSyncPerson } from "./play-person.ts";
import type { PreparedDemo } from "./prepare-demo.ts";
import { publishNext, restoreYesterday, setHomework } from "./demo-actions.ts";
import type { DemoSyncServer } from "./sync-server.ts";

export interface DemoControls {
  readStore(): Promise<ControlResults["store"]>;
  /** `url` is the authorize page that an app on a device wants to open; returns the redirect. */
  authorize(url: string): Promise<string>;
  restore(): Promise<ControlResults["restore"]>;
  publish(): Promise<ControlResults["publish"]>;
  /** Sets homework, and returns its title. */
  setHomework(language: Language): Promise<string>;
  /** Gives the devices' mirror to an attacker, or takes it back. */
  takeOverMirror(isTakenOver: boolean): Promise<ControlResults["mirror"]>;
  runConformance: RunConformance;
}

interface RunningControls extends DemoControls {
  /** Resolves when the work is done that a closed page has begun. */
  close(): Promise<void>;
}

export interface ControlSettings {
  readonly demo: PreparedDemo;
  readonly syncServer: DemoSyncServer;
  readonly eventsStore: EventsStore;
  readonly mirror: Mirror;
  readonly runConformance: RunConformance;
}

export function createDemoControls(settings: ControlSettings): RunningControls {
  const { demo, syncServer, eventsStore, mirror, runConformance } = settings;
  const { folder, configuration, sync, events } = demo;
  const { dataDir } = configuration;
  const inTurn = createSerialize();
  const people = [
    {
      page: `${sync.baseUrl}${SYNC_ROUTES.getAuthorizePage.path}`,
      authorize: createSyncPerson(configuration.sync, DEMO_ACCOUNT),
    },
    {
      page: `${events.baseUrl}${EVENTS_ROUTES.getAuthorizePage.path}`,
      authorize: createEventsPerson(configuration.events, eventsStore, events.accountId),
    },
  ];
  const homework = { ...events, store: eventsStore, timeZone: configuration.events.timeZone };
  let homeworkCount = 0;

  return {
    readStore: () => inTurn(() => readStore(configuration.sync.store, dataDir, sync.sealer)),
    authorize: (text) =>
      inTurn(async () => {
        const url = URL.parse(text);
        const person = people.find(
          ({ page }) => url !== null && url.origin + url.pathname === page,
        );
        if (url === null || person === undefined) throw new Error("That is no page of the demo");
        return person.authorize(url);
      }),
    restore: () =>
      inTurn(() =>
        syncServer.whileStopped(() =>
          restoreYesterday(configuration.sync, dataDir, sync.backupPath),
        ),
      ),
    publish: () =>
      inTurn(async () => {
        const published = await publishNext(demo.catalog, join(folder, "builds"));
        await waitUntilServed(configuration.release.baseUrl, published.version);
        return published;
      }),
    setHomework: (language) => inTurn(() => setHomework(homework, language, homeworkCount++)),
    async takeOverMirror(isTakenOver) {
      if (isTakenOver) return { forgedVersion: await mirror.takeOver() };
      mirror.giveBack();
      return { forgedVersion: null };
    },
    runConformance,
    close: () => inTurn(async () => {}),
  };
}

async function readStore(
  address: string,
  dataDir: string,
  sealer: OperationSealer | null,
): Promise<ControlResults["store"]> {
  const store = await openSyncStore(address, dataDir, "read");
  try {
    const { entities, operations, generation } = await readSyncStatus(store.database);
    const bodies = await readBodies(store.database);
    const newest = bodies.slice(-SHOWN_OPERATIONS).toReversed().map(toSeen);
    const week = sealer === null ? [] : readSealedWeek(bodies, sealer, Date.now());
    return { entities: entities.live, operations, generation, newest, week };
  } finally {
    await store.close();
  }
}

const SHOWN_OPERATIONS = 2;

async function readBodies(database: Database): Promise<string[]> {
  const rows = await database.query<{ body: string }>(
    "SELECT body FROM sync_operations ORDER BY log_offset",
  );
  return rows.map(({ body }) => body);
}

function toSeen(body: string): SeenOperation {
  const scanned = scanOperation(body);
  const { kind, revision, entityId } = toParsedOperation(scanned);
  // Every member, because the ciphertext is in `sealed`, which no operation lists as a changed field.
  const fields = [...scanned.payload, ...scanned.metadata];
  return { kind, deviceId: revision.deviceId, entityId, fields };
}

const SERVED_MS = 5000;
const POLL_MS = 50;

/** The service notices the change of its catalogue by itself, a moment later. */
async function waitUntilServed(baseUrl: string, version: string): Promise<void> {
  const deadline = performance.now() + SERVED_MS;
  while (performance.now() < deadline) {
    const response = await fetch(`${baseUrl}${RELEASE_ROUTES.getLatestRelease.path}`);
    const latest = (await response.json()) as { readonly version?: string };
    if (latest.version === version) return;
    await wait(POLL_MS);
  }
  throw new Error(`The release service does not serve version ${version} yet`);
}
