/** A host with instances that have an account each, asked as a server would be. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openServiceStore } from "../../../src/identity/open-service-store.ts";
import { createSyncHost, type SyncHost, type SyncHostOptions } from "../../../src/hosting/index.ts";
import { checkConfiguration } from "../../../src/configuration/configuration.ts";
import { resolveInstance } from "../../../src/configuration/instance.ts";
import { prepareInstance } from "../../../src/hosting/instance-rows.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import type { CleanUp } from "../../fixtures/clean-up.ts";
import type { StoreKind } from "../../database/on-both-stores.ts";
import { startPostgres } from "../../database/start-postgres.ts";
import { addSyncAccount } from "../add-account.ts";
import { signIn, type Ask, type SignInOptions } from "../sync-client.ts";

export const REDIRECT_URI = "http://localhost:43823/callback";
export const USERNAME = "anna";
export const PASSWORD = "correct horse battery staple";

export interface HostPlace {
  readonly dataDir: string;
  readonly store: string | undefined;
}

export async function createHostPlace(t: CleanUp, kind: StoreKind): Promise<HostPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-host-"));
  // Hooks run in the order of their registration: a host that is still open may write a file meanwhile.
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const store = kind === "SQLite" ? undefined : await (await startPostgres()).createDatabase();
  return { dataDir, store };
}

export function originOf(name: string): string {
  return `https://${name}.example.com`;
}

export function startHost(
  t: TestContext,
  { dataDir, store }: HostPlace,
  names: readonly string[],
  options: Partial<SyncHostOptions> = {},
): SyncHost {
  const host = createSyncHost({
    dataDir,
    ...(store !== undefined && { store }),
    redirectUris: [REDIRECT_URI],
    instances: Object.fromEntries(names.map((name) => [name, { baseUrl: originOf(name) }])),
    ...options,
  });
  t.after(() => closeHost(host));
  return host;
}

/**
 * A host waits for bodies that a test has not read, and nothing else keeps the process: it would end, and the
 * failure that the test was about to report with it.
 */
export async function closeHost(host: Pick<SyncHost, "endStreams" | "close">): Promise<void> {
  host.endStreams();
  const waited = new AbortController();
  const late = wait(CLOSE_MS, null, { signal: waited.signal }).then(
    () => assert.fail("The host does not close: a body was not read"),
    () => {},
  );
  try {
    await Promise.race([host.close(), late]);
  } finally {
    waited.abort();
  }
}

const CLOSE_MS = 10_000;

/** Written beside the host. All accounts have one name and one password, so that only keys and stores differ. */
export async function addAccount({ dataDir, store }: HostPlace, name: string): Promise<void> {
  const settings = { dataDir, sync: store === undefined ? {} : { store } };
  const { sync } = checkConfiguration(settings, "of the test");
  if (sync === undefined) throw new Error("The test has no settings");
  const instance = resolveInstance(name, { baseUrl: originOf(name) }, sync, dataDir);
  await prepareInstance(instance, sync.store);
  const opened = await openServiceStore(SYNC_STORE, instance.sync, instance.dataDir);
  try {
    await addSyncAccount(opened, opened.instanceKey, { username: USERNAME, password: PASSWORD });
  } finally {
    await opened.close();
  }
}

export function askOf(host: Pick<SyncHost, "fetch">, name: string): Ask {
  return (path, init) => host.fetch(new Request(`${originOf(name)}${path}`, init));
}

export function signInOptions(given: Partial<SignInOptions> = {}): SignInOptions {
  return {
    username: USERNAME,
    password: PASSWORD,
    deviceId: "phone",
    redirectUri: REDIRECT_URI,
    ...given,
  };
}

export function signInTo(host: Pick<SyncHost, "fetch">, name: string, deviceId = "phone") {
  return signIn(askOf(host, name), signInOptions({ deviceId }));
}

export const bearer = (accessToken: string) => ({ Authorization: `Bearer ${accessToken}` });

export async function readError(response: Response) {
  const { error, message } = (await response.json()) as { error: string; message: string };
  return { status: response.status, error, message };
}
