/** Services as their operators run them: commands that prepare the store, then `trellis serve`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SoftwarePasskey } from "../../conformance/authenticator.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { addSyncPasskey } from "../sync/add-passkey.ts";
import { trellisProgram } from "../fixtures/trellis-program.ts";

export interface ServiceProcess {
  readonly url: string;
  /** Ends the process, and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface ReleaseProcess extends ServiceProcess {
  readonly smartDownloadUrl: string;
}

export interface ReleaseProcessSettings {
  readonly baseUrl: string;
  readonly smartDownloadUrl: string;
  readonly websiteDownloadUrl: string;
  readonly catalog: string;
}

export interface AccountProcessSettings {
  readonly username: string;
  readonly password: string;
  /** `sqlite:PATH`, relative to a temporary folder, or a `postgres://` address. */
  readonly store: string;
  /** Further settings of the service. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const ANY_PORT = { host: "127.0.0.1", port: 0 };
const DAY_MS = 86_400_000;
const HIGH_LIMITS = {
  authorizePerMinute: 100_000,
  tokenPerMinute: 100_000,
  eventsPerMinute: 100_000,
};

export async function startReleaseProcess({
  smartDownloadUrl,
  ...settings
}: ReleaseProcessSettings): Promise<ReleaseProcess> {
  const { addresses, stop } = await startProcess("release", {
    settings: {
      ...settings,
      smartDownload: { listen: ANY_PORT, url: smartDownloadUrl },
      environment: "test",
    },
  });
  const { release = "", smartDownload = "" } = addresses;
  return { url: release, smartDownloadUrl: smartDownload, stop };
}

export interface SyncProcess extends ServiceProcess {
  readonly passkey: SoftwarePasskey;
}

/** The account has a passkey. */
export async function startSyncProcess(options: AccountProcessSettings): Promise<SyncProcess> {
  const { store, settings } = options;
  const made: SoftwarePasskey[] = [];
  const { addresses, stop } = await startProcess("sync", {
    settings: {
      ...settings,
      store,
      instanceKeyFile: "./instance.key",
      limits: {
        authorizePerMinute: HIGH_LIMITS.authorizePerMinute,
        ...(settings["limits"] as object | undefined),
      },
    },
    commands: [createAccount(options)],
    prepare: async (folder) => void made.push(await addPasskey(folder, options)),
  });
  const [passkey] = made;
  if (passkey === undefined) throw new Error("No passkey was made");
  return { url: addresses["sync"] ?? "", passkey, stop };
}

async function addPasskey(
  folder: string,
  { store, settings }: AccountProcessSettings,
): Promise<SoftwarePasskey> {
  const address = store.replace(/^sqlite:\./, `sqlite:${folder}`);
  const opened = await openSyncStore(address, join(folder, "data"));
  try {
    const key = openInstanceKey(join(folder, "instance.key"));
    return await addSyncPasskey(opened, key, String(settings["baseUrl"]), Date.now());
  } finally {
    await opened.close();
  }
}

/** The account has events that are coming, events that were, and one deleted event. */
export async function startEventsProcess(options: AccountProcessSettings): Promise<ServiceProcess> {
  const { username, store, settings } = options;
  const importPlan = ["import", "plan.json", "--account", username, "--source", "plan"];
  const events = [3, 9, 27, -9, -27].map(createEvent);
  const { addresses, stop } = await startProcess("events", {
    settings: { ...settings, store, instanceKeyFile: "./instance.key", limits: HIGH_LIMITS },
    files: {
      "plan.json": JSON.stringify({ events: [...events, createEvent(1)] }),
      "later.json": JSON.stringify({ events }),
    },
    commands: [
      createAccount(options),
      { words: importPlan },
      // Deletes the event that the second list does not have.
      { words: [...importPlan.with(1, "later.json"), "--replace", "--yes"] },
    ],
  });
  return { url: addresses["events"] ?? "", stop };
}

function createAccount({ username, password }: AccountProcessSettings): Command {
  const words = ["account", "create", "--username", username, "--password-stdin"];
  return { words, stdin: `${password}\n` };
}

function createEvent(days: number) {
  const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return { id: `plan-${days}`, type: "homework", subject_name: "Biology", title: "Leaves", date };
}

interface Command {
  readonly words: readonly string[];
  readonly stdin?: string;
}

interface ProcessOptions {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Run one after the other before the service starts. */
  readonly commands?: readonly Command[];
  /** Written into the working folder of the commands. */
  readonly files?: Readonly<Record<string, string>>;
  /** Called after the commands. */
  prepare?(folder: string): Promise<void>;
}

const [PROGRAM, ...PROGRAM_WORDS] = trellisProgram();

async function startProcess(
  service: "release" | "sync" | "events",
  { settings, commands = [], files = {}, prepare }: ProcessOptions,
) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-conformance-"));
  const config = join(folder, "trellis.config.json");
  const section = { ...settings, listen: ANY_PORT };
  await writeFile(config, JSON.stringify({ dataDir: "./data", [service]: section }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  for (const { words, stdin = "" } of commands) {
    await runCommand([service, ...words, "--config", config], folder, stdin);
  }
  await prepare?.(folder);
  const child = spawn(PROGRAM, [...PROGRAM_WORDS, "serve", service, "--config", config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  const addresses = await new Promise<Record<string, string>>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, string>;
      if (entry["event"] === "ready") resolve(entry);
    });
    void ended.then(([code]) => reject(new Error(`The process ended with code ${code}`)));
  });
  return {
    addresses,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await ended;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

async function runCommand(words: readonly string[], cwd: string, stdin: string): Promise<void> {
  const child = spawn(PROGRAM, [...PROGRAM_WORDS, ...words], {
    cwd,
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(stdin);
  const [code] = (await once(child, "exit")) as [code: number | null];
  if (code !== 0) throw new Error(`"${words.join(" ")}" ended with code ${code}`);
}
