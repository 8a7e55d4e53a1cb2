/** A cluster on loopback, of what an operator has on several machines. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import postgres from "postgres";
import { productCommand } from "../../bench/processes.ts";
import { writePgBouncerSettings } from "../../test/database/pgbouncer.ts";
import { freePorts } from "../../test/fixtures/free-port.ts";
import { isListening } from "../../test/fixtures/is-listening.ts";
import { startPatroni, type PatroniCluster } from "./patroni.ts";
import type { Programs } from "./programs.ts";

export interface Cluster {
  readonly database: PatroniCluster;
  /** Of the proxy in front of the Trellis processes. */
  readonly port: number;
  readonly servers: readonly TrellisServer[];
  /** Starts the Trellis processes; the first instance must be there. */
  serve(): Promise<void>;
  /** Runs a command of Trellis, as on one of its machines. */
  run(words: readonly string[], input?: string): Promise<string>;
}

export interface TrellisServer {
  readonly name: string;
  /** How it reaches the database. */
  readonly way: string;
  /** The events in its log so far. */
  events(): readonly ServerEvent[];
}

interface ServerEvent {
  readonly event: string;
  readonly instance?: string;
}

const PASSWORD = "of-the-service";
/** Less than there are instances, so that they are closed and opened again. */
const MAX_OPEN = 6;
/** What the guide has a superuser run. */
const ROLE_AND_DATABASE = [
  `CREATE ROLE trellis LOGIN PASSWORD '${PASSWORD}'`,
  "CREATE DATABASE trellis OWNER trellis ENCODING 'UTF8' TEMPLATE template0",
  "REVOKE ALL ON DATABASE trellis FROM PUBLIC",
];
const SERVERS = 4;

export async function startCluster(programs: Programs): Promise<Cluster> {
  const [etcd = 0, peer = 0, primary = 0, pooler = 0, port = 0, ...rest] = await freePorts(
    5 + 2 * SERVERS,
  );
  const ports = rest.slice(0, SERVERS);
  startEtcd(programs, etcd, peer);
  await untilListening(programs, "etcd", etcd);
  const database = await startPatroni(programs, etcd);
  const first = await database.healthy();
  for (const statement of ROLE_AND_DATABASE) await database.ask(first, statement);
  startHaproxy(programs, database, primary, { port, ports });
  await untilListening(programs, "haproxy", primary);
  await startPooler(programs, pooler, primary);
  // It listens before the proxy behind it has found the primary.
  await until(programs, "pgbouncer", () => isReachable(addressOf(`127.0.0.1:${pooler}`)));

  const nodes = database.nodes.map((node) => `127.0.0.1:${node.port}`).join(",");
  const pooled = `${addressOf(`127.0.0.1:${pooler}`)}?pool=transaction`;
  const stores = {
    "PgBouncer, and listens to the nodes": `${pooled}&listen=${nodes}`,
    "PgBouncer alone": pooled,
    "the three nodes": `${addressOf(nodes)}?target_session_attrs=read-write`,
    HAProxy: addressOf(`127.0.0.1:${primary}`),
  };
  const settings = Object.entries(stores).map(([way, store], index) => ({
    name: `trellis${index + 1}`,
    way,
    store,
    port: ports[index] ?? 0,
    operatorPort: rest[SERVERS + index] ?? 0,
  }));
  const configs = settings.map((one) => writeConfig(programs.folder, port, one));
  return {
    database,
    port,
    async serve() {
      for (const [index, { name }] of settings.entries()) {
        programs.start(
          name,
          [process.execPath, ...productCommand("serve", "sync", "--config", configs[index] ?? "")],
          "own",
        );
      }
      for (const { name, operatorPort } of settings) await untilReady(programs, name, operatorPort);
    },
    async run(words, input = "") {
      const running = promisify(execFile)(process.execPath, [
        ...productCommand(...words, "--config", configs[0] ?? ""),
      ]);
      running.child.stdin?.end(input);
      return (await running).stdout;
    },
    servers: settings.map(({ name, way }) => ({
      name,
      way,
      events: () => readEvents(programs.readLog(name)),
    })),
  };
}

function addressOf(place: string): string {
  return `postgres://trellis:${PASSWORD}@${place}/trellis`;
}

/** One member, where an operator has three on as many machines. */
function startEtcd(programs: Programs, port: number, peerPort: number): void {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const settings = {
    name: "etcd",
    "data-dir": join(programs.folder, "etcd"),
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `etcd=${peer}`,
  };
  programs.start("etcd", [
    "etcd",
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
  ]);
}

/** One way to the primary, and one to the Trellis processes. */
function startHaproxy(
  programs: Programs,
  { nodes }: PatroniCluster,
  primary: number,
  { port, ports }: { readonly port: number; readonly ports: readonly number[] },
): void {
  const file = join(programs.folder, "haproxy.cfg");
  const lines = [
    "defaults",
    "  timeout connect 2s",
    "  timeout client 1h",
    "  timeout server 1h",
    "listen primary",
    "  mode tcp",
    `  bind 127.0.0.1:${primary}`,
    "  option httpchk GET /primary",
    "  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions",
    ...nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} port ${node.restPort}`),
    "listen trellis",
    "  mode http",
    `  bind 127.0.0.1:${port}`,
    "  option forwardfor",
    "  balance roundrobin",
    // A process that is away is passed over by the request that finds it so.
    "  option redispatch 1",
    ...ports.map((each, index) => `  server trellis${index + 1} 127.0.0.1:${each}`),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  programs.start("haproxy", ["haproxy", "-db", "-f", file]);
}

async function startPooler(programs: Programs, port: number, serverPort: number): Promise<void> {
  const file = await writePgBouncerSettings(programs.folder, {
    port,
    url: addressOf(`127.0.0.1:${serverPort}`),
    // By default it waits for 15 s after a primary was away.
    settings: ["pool_mode = transaction", "default_pool_size = 20", "server_login_retry = 1"],
  });
  programs.start("pgbouncer", ["pgbouncer", file]);
}

interface ServerSettings {
  readonly name: string;
  readonly store: string;
  readonly port: number;
  readonly operatorPort: number;
}

function writeConfig(
  folder: string,
  publicPort: number,
  { name, store, port, operatorPort }: ServerSettings,
): string {
  // A machine has its configuration and the host's key in common with the others, and nothing else.
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const file = join(folder, `${name}.config.json`);
  const config = {
    dataDir,
    trustedProxies: ["127.0.0.1"],
    operator: { listen: { port: operatorPort } },
    sync: {
      listen: { port },
      baseUrl: `http://localhost:${publicPort}`,
      store,
      hostKeyFile: join(folder, "host.key"),
      maxOpen: MAX_OPEN,
      limits: { authorizePerMinute: 1000 },
    },
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const POLL_MS = 100;
const STARTS_MS = 60_000;

async function untilListening(programs: Programs, name: string, port: number): Promise<void> {
  await until(programs, name, () => isListening(port));
}

async function isReachable(address: string): Promise<boolean> {
  const sql = postgres(address, { max: 1, connect_timeout: 2 });
  return sql`select 1`
    .then(
      () => true,
      () => false,
    )
    .finally(() => sql.end({ timeout: 1 }));
}

async function untilReady(programs: Programs, name: string, port: number): Promise<void> {
  await until(programs, name, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    return response?.ok === true;
  });
}

async function until(
  programs: Programs,
  name: string,
  isUp: () => Promise<boolean>,
): Promise<void> {
  const givesUpAt = performance.now() + STARTS_MS;
  while (!(await isUp())) {
    if (performance.now() > givesUpAt) {
      throw new Error(`${name} did not start: ${programs.readLog(name).slice(-2000)}`);
    }
    await sleep(POLL_MS);
  }
}

function readEvents(log: string): ServerEvent[] {
  return log
    .split("\n")
    .filter((line) => line.includes('"event"'))
    .map((line) => JSON.parse(line) as ServerEvent);
}
