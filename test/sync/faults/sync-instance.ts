/** An instance in its own folder, and server processes on it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openInstanceKey } from "../../../src/identity/instance-key.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { runTrellis, type TrellisProcess } from "../../service/start-trellis.ts";
import type { Ask } from "../sync-client.ts";
import { addSyncAccount } from "../add-account.ts";

export const ACCOUNT = { username: "olive-the-owner", password: "correct horse battery staple" };
export const REDIRECT_URI = "http://localhost:43823/callback";

export interface SyncProcess extends TrellisProcess {
  readonly port: number;
  readonly ask: Ask;
  /** The status of `GET /readyz`, and the reason why the service is not ready. */
  readiness(): Promise<{ readonly status: number; readonly reason: string | undefined }>;
  /** The events in the log so far. */
  events(): readonly { readonly event: string; readonly [field: string]: unknown }[];
}

export interface SyncInstance {
  readonly folder: string;
  readonly store: string;
  /** Starts a server, which ends with the test. */
  serve(words?: readonly string[]): Promise<SyncProcess>;
}

export interface InstanceOptions {
  /** A `postgres://` address; by default a file in the folder. */
  readonly store?: string;
  readonly folder?: string;
}

export async function createInstance(
  t: Pick<TestContext, "after">,
  options: InstanceOptions = {},
): Promise<SyncInstance> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "trellis-faults-")));
  if (options.folder === undefined) t.after(() => rm(folder, { recursive: true, force: true }));
  const store = options.store ?? `sqlite:${join(folder, "sync.db")}`;
  const instanceKeyFile = join(folder, "instance.key");
  const config = join(folder, "trellis.config.json");
  const sync = {
    listen: { host: "127.0.0.1", port: 0 },
    baseUrl: "http://localhost:4811",
    displayName: "Faults",
    redirectUris: [REDIRECT_URI],
    corsOrigins: ["https://app.example.com"],
    store,
    instanceKeyFile,
  };
  const operator = { listen: { port: 0 } };
  await writeFile(config, JSON.stringify({ dataDir: folder, operator, sync }));
  const opened = await openSyncStore(store, folder);
  const key = openInstanceKey(instanceKeyFile);
  await addSyncAccount(opened, key, ACCOUNT);
  await opened.close();
  return {
    folder,
    store,
    async serve(words = []) {
      const running = runTrellis(t, ["serve", "sync", "--config", config, ...words]);
      const line = await running.line((text) => text.startsWith('{"event":"ready"'));
      const { sync: address, operator: monitored } = JSON.parse(line) as Record<string, string>;
      return {
        ...running,
        port: Number(new URL(address ?? "").port),
        ask: (path, init) => fetch(`${address}${path}`, init),
        async readiness() {
          const response = await fetch(`${monitored}/readyz`);
          const { services } = (await response.json()) as {
            services: { sync: { reason?: string } };
          };
          return { status: response.status, reason: services.sync.reason };
        },
        events: () =>
          running
            .stdout()
            .split("\n")
            .filter((text) => text.startsWith('{"event"'))
            .map((text) => JSON.parse(text) as { event: string }),
      };
    },
  };
}
