/** Runs a sync server for the maker of an app: on loopback, for every app on this machine, with an account. */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { checkConfiguration } from "../../configuration/configuration.ts";
import type { Configuration, SyncConfiguration } from "../../configuration/configuration-schema.ts";
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { explainFileError } from "../../database/explain-file-error.ts";
import type { LineWriter } from "../../http/request-log.ts";
import { openServiceStore } from "../../identity/open-service-store.ts";
import { createKeyedHash } from "../../identity/instance-key.ts";
import { startServices } from "../../server/start.ts";
import { createTemporaryFolder } from "../../server/temporary-folder.ts";
import { createAdministration } from "../../sync/maintenance/administration.ts";
import { SYNC_STORE } from "../../sync/sql/open-store.ts";
import { createSyncPerson } from "../../../examples/demo/play-person.ts";
import { reservePorts, startOnReserved, type MovedPort } from "../../server/reserve-ports.ts";
import { CommandError } from "../command.ts";
import { findPortHolder } from "../find-port-holder.ts";
import { createDevPages } from "./dev-pages.ts";
import { DEV_PATH, NOTES_PATH } from "./dev-site.ts";
import { startApp, type AppSettings, type RunningApp } from "./start-app.ts";

export const DEV_PORT = 4811;
const APP_PORT = 4820;

export interface DevOptions {
  /** Where the data stays; null for a temporary folder, which is removed at the end. */
  readonly data: string | null;
  /** The port that has to be free; null for the usual one, or any other when that is taken. */
  readonly port: number | null;
  readonly profile: SyncProfile;
  /** The server of the app that is developed; null for the notes app alone. */
  readonly app: AppSettings | null;
  readonly log: LineWriter;
  readonly signal: AbortSignal;
}

export interface RunningDev {
  readonly baseUrl: string;
  /** Signs a browser in, as often as it is opened, and leads to the app. */
  readonly link: string;
  readonly notes: string;
  readonly account: DevAccount;
  readonly app: RunningApp | null;
  readonly moved: readonly MovedPort[];
  stop(): Promise<void>;
}

interface DevAccount {
  readonly username: string;
  readonly password: string;
}

const USERNAME = "dev";

export function startDev(options: DevOptions): Promise<RunningDev> {
  return startOnReserved(() => startOnce(options));
}

async function startOnce(options: DevOptions): Promise<RunningDev> {
  const { data, port, profile, log, signal } = options;
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).toReversed()) await step();
  };
  try {
    const { ports, moved, release } = await reservePorts({ sync: port ?? DEV_PORT });
    stops.push(release);
    const place = options.app === null ? null : await reservePorts({ app: APP_PORT });
    if (place !== null) stops.push(place.release);
    if (port !== null && moved.length > 0) {
      const holder = findPortHolder(port) ?? "another program";
      throw new CommandError(
        `Port ${port} is taken by ${holder}: stop it, or leave --port out for a free one`,
      );
    }
    const folder = await openFolder(data, stops);
    const { configuration, sync } = createConfiguration(folder, ports.sync, profile);
    const { baseUrl } = sync;
    const account = await openAccount(sync, folder);
    signal.throwIfAborted();
    const addPages = createDevPages({
      baseUrl,
      appUrl: place === null ? NOTES_PATH : `http://localhost:${place.ports.app}/`,
      secret: account.password,
      authorize: createSyncPerson(sync, account),
    });
    await release();
    const server = await startServices(configuration, ["sync"], log, signal, {
      development: { addPages },
    });
    stops.push(server.stop);
    await place?.release();
    const app = options.app && place && (await startApp(options.app, place.ports.app, baseUrl));
    if (app !== null) stops.push(app.stop);
    return {
      baseUrl,
      link: `${baseUrl}${DEV_PATH}#${account.password}`,
      notes: `${baseUrl}${NOTES_PATH}`,
      account,
      app,
      moved: [...moved, ...(place?.moved ?? [])],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openFolder(data: string | null, stops: (() => unknown)[]): Promise<string> {
  if (data !== null) return makeFolder(resolve(data));
  const folder = await createTemporaryFolder("trellis-dev-");
  stops.push(folder.remove);
  return folder.path;
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    const reason = explainFileError(error);
    if (reason === undefined) throw error;
    throw new CommandError(`Cannot create "${folder}": ${reason}; name another folder with --data`);
  }
}

function createConfiguration(
  dataDir: string,
  port: number,
  profile: SyncProfile,
): { readonly configuration: Configuration; readonly sync: SyncConfiguration } {
  const baseUrl = `http://localhost:${port}`;
  const sync = { listen: { port }, baseUrl, displayName: "trellis dev", profile };
  const configuration = checkConfiguration({ dataDir, sync }, "of trellis dev");
  return {
    configuration: { ...configuration, file: null },
    sync: configuration.sync as SyncConfiguration,
  };
}

/** The password is derived from the key of the instance, so that a folder that is kept has the same one again. */
async function openAccount(sync: SyncConfiguration, dataDir: string): Promise<DevAccount> {
  const store = await openServiceStore(SYNC_STORE, sync, dataDir);
  try {
    const password = createKeyedHash(store.instanceKey, "dev/password")(USERNAME);
    const { findAccount, createAccount } = createAdministration(store, store.instanceKey);
    const found = await findAccount();
    if (found === null) await createAccount(USERNAME, password);
    else if (found.username !== USERNAME) {
      throw new CommandError(
        `The data in "${dataDir}" is that of the account "${found.username}", which trellis dev did not create: name another folder with --data`,
      );
    }
    return { username: USERNAME, password };
  } finally {
    await store.close();
  }
}
