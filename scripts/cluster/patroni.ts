/** Three PostgreSQL nodes, of which Patroni makes one the primary. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePorts } from "../../test/fixtures/free-port.ts";
import type { Programs } from "./programs.ts";

export interface PatroniNode {
  readonly name: string;
  readonly port: number;
  /** Where Patroni says what the node is. */
  readonly restPort: number;
  /** `kill -9` of all PostgreSQL processes, of which Patroni learns by itself. */
  killServer(): void;
  /** The same, and of Patroni: the others learn of it when its lock in etcd expires. */
  killMachine(): void;
  /** Starts Patroni, and it the server. */
  start(): void;
}

type ResultRow = Readonly<Record<string, unknown>>;

interface Member {
  readonly name: string;
  readonly role: "leader" | "replica" | "sync_standby";
  readonly state: string;
  readonly timeline?: number;
}

export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  /** Waits until a primary has a standby that follows it, and that its commits wait for if they are to. */
  healthy(): Promise<PatroniNode>;
  /** Waits until a node is the primary that is not `other`. */
  promoted(other: PatroniNode): Promise<PatroniNode>;
  /** Whether commits wait for a standby. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Asks a node as the superuser, whom no row security stops. */
  ask(node: PatroniNode, sql: string, database?: string): Promise<readonly ResultRow[]>;
}

const SUPERUSER = { username: "postgres", password: "of-the-superuser" };
const REPLICATION = { username: "replicator", password: "of-the-replicas" };
const POLL_MS = 200;
const HEALS_MS = 120_000;
const END_TURNS = 20;
const END_MS = 50;

export async function startPatroni(programs: Programs, etcdPort: number): Promise<PatroniCluster> {
  const ports = await freePorts(6);
  const binaries = findBinaries();
  const nodes = [0, 1, 2].map((index) =>
    createNode(programs, {
      name: `node${index + 1}`,
      port: ports[index] ?? 0,
      restPort: ports[index + 3] ?? 0,
      etcdPort,
      binaries,
    }),
  );
  let isSynchronous = true;

  async function members(): Promise<readonly Member[]> {
    for (const { restPort } of nodes) {
      const found = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null);
      if (found?.ok === true) return ((await found.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async function until(
    what: string,
    find: (found: readonly Member[]) => string | undefined,
  ): Promise<PatroniNode> {
    const givesUpAt = performance.now() + HEALS_MS;
    for (;;) {
      const found = await members();
      const name = find(found);
      const node = nodes.find((one) => one.name === name);
      if (node !== undefined) return node;
      if (performance.now() > givesUpAt) {
        throw new Error(`The nodes do not become ${what}: ${JSON.stringify(found)}`);
      }
      await sleep(POLL_MS);
    }
  }

  const cluster: PatroniCluster = {
    nodes,
    healthy: () =>
      until("healthy", (found) => {
        const running = found.filter(({ state }) => /^(?:running|streaming)$/.test(state));
        const leader = running.find(({ role }) => role === "leader");
        const following = running.filter(
          ({ role, timeline }) =>
            role === (isSynchronous ? "sync_standby" : "replica") && timeline === leader?.timeline,
        );
        return following.length > 0 ? leader?.name : undefined;
      }),
    promoted: (other) =>
      until(
        "one with another primary",
        (found) =>
          found.find(
            ({ role, name, state }) =>
              role === "leader" && name !== other.name && state === "running",
          )?.name,
      ),
    async setSynchronous(wanted) {
      isSynchronous = wanted;
      const leader = await until("led", (found) => found.find(isLeader)?.name);
      await fetch(`http://127.0.0.1:${leader.restPort}/config`, {
        method: "PATCH",
        body: JSON.stringify({ synchronous_mode: wanted, synchronous_mode_strict: wanted }),
      });
      await cluster.healthy();
      const show = "select current_setting('synchronous_standby_names') <> '' as is_set";
      while ((await cluster.ask(leader, show))[0]?.["is_set"] !== wanted) await sleep(POLL_MS);
    },
    ask: askAsSuperuser,
  };
  for (const node of nodes) node.start();
  await cluster.healthy();
  return cluster;
}

async function askAsSuperuser({ port }: PatroniNode, statement: string, database = "postgres") {
  const { username, password } = SUPERUSER;
  const options = { host: "127.0.0.1", port, database, username, password };
  const sql = postgres({ ...options, max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe<ResultRow[]>(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function isLeader({ role }: Member): boolean {
  return role === "leader";
}

interface NodeSettings {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
  /** The folder of Debian's PostgreSQL. */
  readonly binaries: string;
}

function createNode(programs: Programs, settings: NodeSettings): PatroniNode {
  const { name, port, restPort } = settings;
  const data = join(programs.folder, name);
  const file = join(programs.folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(describeNode(programs.folder, settings)));
  let patroni: ChildProcess | null = null;
  const killMachine = () => {
    // First, because it would start the server again.
    patroni?.kill("SIGKILL");
    // What it had just begun to start may start more.
    for (let turn = 0; turn < END_TURNS && killServerOf(data); turn++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, END_MS);
    }
  };
  programs.atEnd(killMachine);
  return {
    name,
    port,
    restPort,
    killServer: () => void killServerOf(data),
    killMachine,
    start() {
      patroni = programs.start(name, ["patroni", file]);
    },
  };
}

/** JSON is YAML, which Patroni reads. */
function describeNode(folder: string, { name, port, restPort, etcdPort, binaries }: NodeSettings) {
  return {
    scope: "trellis",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        // A crashed primary is not waited for: another one is promoted.
        primary_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // Without synchronous commits a replica is promoted however far it is behind.
        maximum_lag_on_failover: 2 ** 30,
        postgresql: {
          use_pg_rewind: true,
          // By default a standby looks for the new primary after 5 s, and until then nothing is committed.
          parameters: { max_connections: 120, wal_retrieve_retry_interval: "500ms" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: binaries,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: SUPERUSER, replication: REPLICATION },
      parameters: { unix_socket_directories: folder, shared_buffers: "64MB" },
      pg_hba: [
        "local all all scram-sha-256",
        "host all all 127.0.0.1/32 scram-sha-256",
        "host replication replicator 127.0.0.1/32 scram-sha-256",
      ],
    },
  };
}

/** All at once, as when the power fails: a backend that lives on could still commit. */
function killServerOf(data: string): boolean {
  const found = findProcessesOf(data);
  for (const pid of [...found, ...found.flatMap(listChildren)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  return found.length > 0;
}

/** The server, and programs that copy or repair its files: not every one has written down its number. */
function findProcessesOf(data: string): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return words.includes(`${data}\0`) || words.includes(`${data}/`);
    } catch {
      return false;
    }
  });
}

function listChildren(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Debian keeps each version in a folder of its own. */
function findBinaries(): string {
  const folder = "/usr/lib/postgresql";
  const [newest] = readdirSync(folder).toSorted((a, b) => Number(b) - Number(a));
  return join(folder, newest ?? "", "bin");
}
