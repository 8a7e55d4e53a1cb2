/** A primary fails whose replicas are behind, and one of them is promoted: what it lacks, devices bring back. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createMemorySyncStorage,
  createSyncClient,
  type SyncClient,
} from "../../src/client/index.ts";
import { ACCOUNT, REDIRECT_URI } from "../../test/sync/faults/sync-instance.ts";
import { approveSignIn } from "../../test/sync/approve-sign-in.ts";
import type { Ask } from "../../test/sync/sync-client.ts";
import type { PatroniNode } from "./patroni.ts";
import type { Cluster } from "./start-cluster.ts";

export interface LossReport {
  /** Edits that were acknowledged, in all instances. */
  readonly acknowledged: number;
  /** Of those, what the promoted server lacked. */
  readonly lacking: number;
  readonly promotedSeconds: number;
  readonly healedSeconds: number;
  readonly instances: readonly LossRow[];
}

export interface LossRow {
  readonly instance: string;
  /** Operations that the log lacked when it was noticed. */
  readonly lacking: number;
  /** How many processes logged it. */
  readonly told: number;
  /** Acknowledged edits that a new device does not see at the end. */
  readonly missing: number;
}

interface App {
  readonly instance: string;
  readonly client: SyncClient;
  /** The created entities by their operations, of which the server has said that it has them. */
  readonly acknowledged: Map<string, string>;
}

/** Of the addresses that a client asks for; where it is sent to, and for whom, is `Ask`'s part. */
const ORIGIN = "http://localhost";
const APPS = ["phone", "laptop"];
/** Edits between two rounds of an app. */
const EDITS = 10;
/** Rounds of each app before the replicas fall behind, and while they are. */
const ROUNDS = 3;
const PAUSE_MS = 200;

export async function failLossily(
  cluster: Cluster,
  instances: ReadonlyMap<string, Ask>,
  progress: (text: string) => void,
): Promise<LossReport> {
  const { database } = cluster;
  await database.setSynchronous(false);
  const apps = await openApps(instances);
  for (let round = 0; round < ROUNDS; round++) await Promise.all(apps.map(editAndSync));
  const primary = await database.healthy();
  await pauseReplication(cluster, primary);
  progress("Replicas receive nothing more, and devices push");
  for (let round = 0; round < ROUNDS; round++) await Promise.all(apps.map(editAndSync));
  const acknowledged = apps.flatMap((app) => [...app.acknowledged.keys()]);
  const known = new Map(
    await Promise.all(
      database.nodes.map(async (node) => [node, await readLedger(cluster, node)] as const),
    ),
  );

  const killedAt = performance.now();
  primary.killMachine();
  const promoted = await database.promoted(primary);
  const promotedSeconds = (performance.now() - killedAt) / 1000;
  progress(`${promoted.name} was promoted; devices go on`);
  const lacking = (ids: Iterable<string>) =>
    [...ids].filter((id) => known.get(promoted)?.has(id) !== true).length;
  await Promise.all(apps.map(editAndSync));
  // What one brought back, the other takes in.
  await Promise.all(apps.map(syncWell));
  const healedSeconds = (performance.now() - killedAt) / 1000;
  primary.start();
  await database.healthy();

  const rows: LossRow[] = [];
  for (const [instance, ask] of instances) {
    const own = apps.filter((app) => app.instance === instance);
    const visible = await readAsNewDevice(ask);
    const ids = own.flatMap((app) => [...app.acknowledged.keys()]);
    const entities = own.flatMap((app) => [...app.acknowledged.values()]);
    rows.push({
      instance,
      lacking: lacking(ids),
      told: cluster.servers.filter((server) =>
        server
          .events()
          .some((entry) => entry.event === "store_was_behind" && entry.instance === instance),
      ).length,
      missing: entities.filter((id) => !visible.has(id)).length,
    });
  }
  for (const { client } of apps) await client.close();
  return {
    acknowledged: acknowledged.length,
    lacking: lacking(acknowledged),
    promotedSeconds,
    healedSeconds,
    instances: rows,
  };
}

async function openApps(instances: ReadonlyMap<string, Ask>): Promise<App[]> {
  const apps: App[] = [];
  for (const [instance, ask] of instances) {
    for (const name of APPS) {
      apps.push({ instance, client: await openClient(ask, name), acknowledged: new Map() });
    }
  }
  return apps;
}

async function openClient(ask: Ask, deviceName: string): Promise<SyncClient> {
  const client = await createSyncClient({
    baseUrl: ORIGIN,
    redirectUri: REDIRECT_URI,
    storage: createMemorySyncStorage(),
    deviceName,
    live: false,
    fetch: (url, init) => ask(url.slice(ORIGIN.length), init),
  });
  const begun = await client.beginSignIn();
  if (begun.kind !== "begun") throw new Error(begun.error.message);
  const signedIn = await client.completeSignIn(await approveSignIn(begun.url, ACCOUNT, ask));
  if (signedIn.kind !== "signed-in") throw new Error(signedIn.error.message);
  return client;
}

async function editAndSync(app: App): Promise<void> {
  const created = new Map<string, string>();
  for (let index = 0; index < EDITS; index++) {
    const entityId = `setting/${randomUUID()}`;
    const result = await app.client.create(entityId, { value: `${index}` });
    if (result.kind !== "stored") throw new Error(result.message);
    created.set(result.operationId, entityId);
  }
  await syncWell(app);
  for (const [operationId, entityId] of created) app.acknowledged.set(operationId, entityId);
}

/** Resolves when the server has everything of the device, and the device everything of the server. */
async function syncWell({ client }: Pick<App, "client">): Promise<void> {
  for (;;) {
    const result = await client.sync();
    if (result.kind === "synced" && client.status.pending === 0) return;
    await sleep(PAUSE_MS);
  }
}

/** The primary goes on, and its replicas hear nothing. */
async function pauseReplication({ database }: Cluster, primary: PatroniNode): Promise<void> {
  const senders = await database.ask(primary, "select pid from pg_stat_replication");
  for (const { pid } of senders) process.kill(Number(pid), "SIGSTOP");
}

async function readLedger({ database }: Cluster, node: PatroniNode): Promise<ReadonlySet<string>> {
  const rows = await database.ask(node, "select operation_id as id from sync_ledger", "trellis");
  return new Set(rows.map(({ id }) => String(id)));
}

async function readAsNewDevice(ask: Ask): Promise<ReadonlySet<string>> {
  const client = await openClient(ask, "new");
  await syncWell({ client });
  await client.loaded;
  const ids = client.entities.list("setting").map(({ entityId }) => entityId);
  await client.close();
  return new Set(ids);
}
