/** A primary and a streaming replica. */
import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { createCluster, createRole, superuserUrl } from "./launch-postgres.ts";
import { createPostgresNode, type PostgresNode } from "./postgres-node.ts";

export interface ReplicatedPostgres {
  readonly primary: PostgresNode;
  readonly replica: PostgresNode;
  /** Makes a server follow another one when it starts. */
  makeStandby(node: PostgresNode): Promise<void>;
  promote(node: PostgresNode): Promise<void>;
  ask(node: PostgresNode, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const REPLICA = "trellis_replica";

/** A commit of the primary waits until the replica has it, unless they are not synchronous. */
export async function replicatePostgres(
  t: Pick<TestContext, "after">,
  { isSynchronous = true } = {},
): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-replicated-"));
  const nodes: PostgresNode[] = [];
  t.after(async () => {
    for (const node of nodes) await node.kill();
    await rm(folder, { recursive: true, force: true });
  });
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  // As root, the servers run as another user.
  await chmod(folder, 0o755);
  await createCluster(first);
  // A copy of files that no server uses is a base backup.
  await copyCluster(first, second);
  const primary = await createPostgresNode(first);
  const replica = await createPostgresNode(second);
  nodes.push(replica, primary);
  await makeStandby(replica);
  await primary.start(isSynchronous ? [`synchronous_standby_names=${REPLICA}`] : []);
  const { username, password, port } = new URL(superuserUrl(primary.port, "postgres"));
  await replica.start([
    `primary_conninfo=host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${REPLICA}`,
  ]);
  await createRole(primary.port);
  return { primary, replica, makeStandby, promote, ask };
}

/** A failover that loses what `commit` does: no commit may wait for the replica, which is stopped before it. */
export async function loseLatest(
  { primary, replica, ask }: ReplicatedPostgres,
  commit: () => Promise<unknown>,
): Promise<void> {
  const isBehind = `select 1 from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()`;
  while ((await ask(primary, isBehind)).length === 0) await sleep(50);
  await replica.stop();
  await commit();
  await primary.kill();
  await replica.start();
  await promote(replica);
}

async function makeStandby({ folder }: PostgresNode): Promise<void> {
  await writeFile(join(folder, "standby.signal"), "");
}

async function promote(node: PostgresNode): Promise<void> {
  await ask(node, "select pg_promote()");
}

async function ask(node: PostgresNode, statement: string) {
  const sql = postgres(superuserUrl(node.port, "postgres"), { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function copyCluster(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true });
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from);
  const names = await readdir(to, { recursive: true });
  await Promise.all(["", ...names].map((name) => chown(join(to, name), uid, gid)));
}
