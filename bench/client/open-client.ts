/** Clients of a benchmark's server; without `isLive` they sync only when they are told to. */
import {
  createSyncClient,
  type SyncClient,
  type SyncClientOptions,
  type SyncStorage,
} from "../../src/client/index.ts";

/** The browser needs this address too, so it cannot come from where the server is started. */
const REDIRECT_URI = "http://localhost:43823/callback";

/** The port of a client that is never signed in. */
const NO_PORT = 9;

interface OpenOptions extends Pick<SyncClientOptions, "fetch" | "encryption" | "profile"> {
  readonly isLive?: boolean;
}

export function openClient(
  storage: SyncStorage,
  port = NO_PORT,
  { isLive = false, ...options }: OpenOptions = {},
): Promise<SyncClient> {
  return createSyncClient({
    baseUrl: `http://localhost:${port}`,
    redirectUri: REDIRECT_URI,
    storage,
    live: isLive,
    tabs: null,
    ...(!isLive && { setTimer: () => () => {} }),
    ...options,
  });
}

export async function openSignIn(client: SyncClient): Promise<string> {
  const begun = await client.beginSignIn();
  if (begun.kind === "begun") return begun.url;
  throw new Error(`Cannot sign in: ${begun.error.message}`);
}

export async function signInWith(
  client: SyncClient,
  signInOnPage: (url: string) => Promise<string>,
): Promise<void> {
  const result = await client.completeSignIn(await signInOnPage(await openSignIn(client)));
  if (result.kind !== "signed-in") throw new Error(`Cannot sign in: ${result.error.message}`);
}

/** Runs the first sync of a device, which must pull this many operations. */
export async function syncFirst(client: SyncClient, length: number): Promise<void> {
  const result = await client.sync();
  if (result.kind === "synced" && result.pulled === length) return;
  throw new Error(`The first sync failed: ${JSON.stringify(result)}`);
}
