/** Primaries fail one after another, while devices push. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./start-cluster.ts";
import type { PatroniNode } from "./patroni.ts";
import { startPushing, type Pusher } from "./pushers.ts";

export interface KillRow {
  readonly node: string;
  /** Whether Patroni was killed too. */
  readonly isMachine: boolean;
  readonly promotedSeconds: number;
  /** Until the new primary commits: it waits for a standby, too. */
  readonly committedSeconds: number;
  /** Until each device has had a push acknowledged that began after the promotion. */
  readonly pushedSeconds: number;
}

export interface KillsReport {
  readonly kills: readonly KillRow[];
  readonly seconds: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly refusals: ReadonlyMap<string, number>;
}

/** Of how many kills one takes the whole machine, which is noticed when its lock expires. */
const MACHINE_EVERY = 10;
const RETRY_MS = 50;

export async function killPrimaries(
  cluster: Cluster,
  pushers: readonly Pusher[],
  count: number,
  progress: (text: string) => void,
): Promise<KillsReport> {
  const { database } = cluster;
  await database.ask(await database.healthy(), "create table bare_commits (at timestamptz)");
  const load = startPushing(pushers);
  const startedAt = performance.now();
  const kills: KillRow[] = [];
  for (let index = 1; index <= count; index++) {
    const primary = await database.healthy();
    await load.allPushed();
    const isMachine = index % MACHINE_EVERY === 0;
    const killedAt = performance.now();
    if (isMachine) primary.killMachine();
    else primary.killServer();
    const next = await database.promoted(primary);
    const sinceKill = () => (performance.now() - killedAt) / 1000;
    const promotedSeconds = sinceKill();
    const [committedSeconds, pushedSeconds] = await Promise.all([
      commitBarely(cluster, next).then(sinceKill),
      load.allPushed().then(sinceKill),
    ]);
    if (isMachine) primary.start();
    const row = {
      node: primary.name,
      isMachine,
      promotedSeconds,
      committedSeconds,
      pushedSeconds,
    };
    kills.push(row);
    progress(
      `Kill ${index}: ${next.name} follows ${primary.name} after ${promotedSeconds.toFixed(1)} s, commits after ${committedSeconds.toFixed(1)} s, pushes after ${pushedSeconds.toFixed(1)} s; ${load.acknowledged()} operations acknowledged`,
    );
  }
  await load.end();
  const seconds = (performance.now() - startedAt) / 1000;
  const primary = await database.healthy();
  return {
    kills,
    seconds,
    acknowledged: load.acknowledged(),
    ...(await compareLedgers(cluster, primary, pushers)),
    refusals: load.refusals,
  };
}

/** Patroni names a node before PostgreSQL lets anyone write to it. */
async function commitBarely({ database }: Cluster, node: PatroniNode): Promise<void> {
  const commit = () => database.ask(node, "insert into bare_commits values (now())");
  while ((await commit().catch(() => null)) === null) await sleep(RETRY_MS);
}

/** The ledger has every operation that was ever stored, also those that a compaction removed from the log. */
async function compareLedgers(
  { database }: Cluster,
  primary: PatroniNode,
  pushers: readonly Pusher[],
): Promise<{ readonly lost: number; readonly doubled: number }> {
  let [lost, doubled] = [0, 0];
  for (const [instance, own] of Map.groupBy(pushers, (pusher) => pusher.instance)) {
    const rows = await database.ask(primary, ledgerOf(instance), "trellis");
    const offsetById = new Map(rows.map(({ id, at }) => [String(id), Number(at)]));
    doubled += rows.length - new Set(offsetById.values()).size;
    for (const { device } of own) {
      for (const [offset, id] of device.acknowledged) if (offsetById.get(id) !== offset) lost++;
    }
  }
  return { lost, doubled };
}

function ledgerOf(instance: string): string {
  return `select l.operation_id as id, l.log_offset as at from sync_ledger l
    join trellis_instances i on i.instance = l.instance where i.name = '${instance}'`;
}
