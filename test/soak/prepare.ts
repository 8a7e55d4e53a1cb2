/** The folders, accounts, catalogue and configurations of a soak run, made by the command line. */
import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareProgram } from "../fixtures/built-program.ts";
import { prepareQuickStart } from "../fixtures/quick-start.ts";
import { nodeProgram } from "../fixtures/trellis-program.ts";
import { launchPostgres, postgresUrl, type LaunchedPostgres } from "../database/launch-postgres.ts";
import { startProxy } from "../database/start-proxy.ts";
import { makeInstances } from "../../bench/host/make-instances.ts";
import { freePort } from "../../bench/processes.ts";

export const ACCOUNT = { username: "olive", password: "correct horse battery staple" };
export const REDIRECT_URI = "http://localhost:43823/callback";
export const APP = { id: "soak-app", name: "Soak", redirectUris: [REDIRECT_URI] };
export const PRODUCT = "habits";
const DISK_MB = 512;
/** Instances without a device, for attackers to open; more than may be open at once. */
export const CLOSED_INSTANCES = 60;
/** The instance that has an account and devices. */
export const OWNER_INSTANCE = "owner";
const MAX_OPEN = 8;
/** Attackers pose as many networks by the header of a proxy. */
const trustedProxies = ["127.0.0.1"];

export interface Home {
  readonly folder: string;
  /** The disk that can be filled; null without the right to mount one. */
  readonly disk: string | null;
  readonly config: string;
  readonly ports: { readonly release: number; readonly sync: number; readonly events: number };
  /** A second instance of the sync service, on PostgreSQL. */
  readonly hosted: { readonly config: string; readonly port: number };
  /** A server with many instances on SQLite, one of which has an account. */
  readonly host: { readonly config: string; readonly port: number };
  readonly postgres: LaunchedPostgres;
  /** The network between it and its service. */
  readonly network: Network;
  run(words: readonly string[], input?: string): Promise<string>;
  remove(): Promise<void>;
}

type Network = Pick<Awaited<ReturnType<typeof startProxy>>, "cut" | "mend">;

export async function prepareHome(): Promise<Home> {
  prepareQuickStart();
  await prepareProgram();
  const folder = await mkdtemp(join(tmpdir(), "trellis-soak-"));
  const disk = await mountDisk(join(folder, "disk"));
  const dataDir = disk ?? join(folder, "data");
  const postgres = await launchPostgres();
  const cleanups: (() => unknown)[] = [];
  const after = (work: () => unknown) => void cleanups.push(work);
  const { url: store, ...network } = await startProxy(
    { after },
    postgresUrl(postgres.port, "postgres"),
  );
  const ports = { release: await freePort(), sync: await freePort(), events: await freePort() };
  const config = join(folder, "trellis.config.json");
  const perMinute = 100_000;
  await writeJson(config, {
    dataDir,
    trustedProxies,
    release: {
      listen: { port: ports.release },
      baseUrl: `http://localhost:${ports.release}`,
      smartDownload: { listen: { port: 0 } },
      catalog: join(folder, "catalog"),
    },
    sync: {
      listen: { port: ports.sync },
      baseUrl: `http://localhost:${ports.sync}`,
      redirectUris: [REDIRECT_URI],
      store: `sqlite:${join(dataDir, "sync.db")}`,
      instanceKeyFile: join(folder, "instance.key"),
    },
    events: {
      listen: { port: ports.events },
      baseUrl: `http://localhost:${ports.events}`,
      clients: [APP],
      limits: { tokenPerMinute: perMinute, eventsPerMinute: perMinute },
      store: `sqlite:${join(dataDir, "events.db")}`,
      instanceKeyFile: join(folder, "instance.key"),
    },
  });
  const hosted = { config: join(folder, "hosted.config.json"), port: await freePort() };
  await writeJson(hosted.config, {
    dataDir: join(folder, "hosted"),
    sync: {
      listen: { port: hosted.port },
      baseUrl: `http://localhost:${hosted.port}`,
      redirectUris: [REDIRECT_URI],
      store,
      instanceKeyFile: join(folder, "hosted.key"),
    },
  });
  const host = { config: join(folder, "host.config.json"), port: await freePort() };
  const hostDataDir = join(folder, "host");
  await makeInstances(hostDataDir, CLOSED_INSTANCES);
  await writeJson(host.config, {
    dataDir: hostDataDir,
    trustedProxies,
    sync: { listen: { port: host.port }, redirectUris: [REDIRECT_URI], maxOpen: MAX_OPEN },
  });

  async function run(words: readonly string[], input = ""): Promise<string> {
    const [program, ...programWords] = nodeProgram();
    const running = promisify(execFile)(program, [...programWords, ...words]);
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  const owner = [OWNER_INSTANCE, "--base-url", `http://127.0.0.1:${host.port}`];
  await run(["sync", "instance", "add", ...owner, "--config", host.config]);
  const account = ["account", "create", "--username", ACCOUNT.username, "--password-stdin"];
  for (const words of [
    ["sync", ...account, "--config", config],
    ["events", ...account, "--config", config],
    ["sync", ...account, "--config", hosted.config],
    ["sync", ...account, "--instance", OWNER_INSTANCE, "--config", host.config],
  ]) {
    await run(words, `${ACCOUNT.password}\n`);
  }
  const at = ["--config", config];
  await run(["release", "init", "--product", PRODUCT, "--target", "linux/x64", ...at]);
  await run(["release", "key", "new", ...at]);
  return {
    folder,
    disk,
    config,
    ports,
    hosted,
    host,
    postgres,
    network,
    run,
    async remove() {
      for (const cleanUp of cleanups) cleanUp();
      await postgres.remove();
      if (disk !== null) spawnSync("umount", ["-l", disk]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function mountDisk(path: string): Promise<string | null> {
  await mkdir(path);
  const words = ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", path];
  const isMounted = process.platform === "linux" && spawnSync("mount", words).status === 0;
  return isMounted ? path : null;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(value, null, 2));
}
