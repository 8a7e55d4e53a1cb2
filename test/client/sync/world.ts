/** Sync clients and the real service in one process, with a network, a clock and timers of the test. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  createMemorySyncStorage,
  createSyncClient,
  type SignInOptions,
  type SyncClient,
  type SyncClientOptions,
} from "../../../src/client/index.ts";
import { setGlobalTimer } from "../../../src/client/transport/deadline.ts";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createStorePlaces } from "../../database/on-both-stores.ts";
import type { Ask } from "../../sync/sync-client.ts";
import { REDIRECT_URI, startSyncService } from "../../sync/service/sync-service.ts";
import { signInOnPage } from "./sign-in-on-page.ts";

export const BASE_URL = "http://localhost:4811";

export interface World {
  readonly store: SqlSyncStore;
  ask: Ask;
  /** What the network does with a request; by default it reaches the service. */
  network: Network;
  /** The requests so far, as `POST /v1/push`. */
  readonly requests: string[];
  readonly clock: { now: number };
  /** A client that syncs only when the test says so; closed after the test. */
  open(options?: Partial<SyncClientOptions>): Promise<SyncClient>;
  /** A client that is signed in. */
  device(options?: Partial<SyncClientOptions>): Promise<SyncClient>;
  signIn(client: SyncClient): Promise<void>;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

export type Network = (
  send: () => Promise<Response>,
  request: { readonly path: string; readonly init: RequestInit },
) => Promise<Response>;

export const online: Network = (send) => send();
export const offline: Network = () => Promise.reject(new TypeError("fetch failed"));

const { createPlace } = createStorePlaces(openSyncStore);

export async function createWorld(
  t: TestContext,
  options: Partial<SyncServiceOptions> = {},
): Promise<World> {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const { ask, clock } = await startSyncService(store, { profile: "open", ...options });
  const opened: SyncClient[] = [];
  t.after(async () => {
    for (const client of opened) await client.close();
  });
  let devices = 0;
  const world: World = {
    store,
    ask,
    network: online,
    requests: [],
    clock,
    async open(given = {}) {
      const client = await createSyncClient({
        baseUrl: BASE_URL,
        redirectUri: REDIRECT_URI,
        storage: createMemorySyncStorage(),
        deviceName: `device ${++devices}`,
        profile: "open",
        live: false,
        fetch: world.fetch,
        now: () => clock.now,
        // Nothing happens by itself.
        setTimer: () => () => {},
        tabs: null,
        ...given,
      });
      opened.push(client);
      return client;
    },
    async device(given) {
      const client = await world.open(given);
      await world.signIn(client);
      await syncNow(client);
      return client;
    },
    async signIn(client) {
      const url = await beginSignIn(client);
      const result = await client.completeSignIn(await signInOnPage(world.ask, url));
      assert.equal(result.kind, "signed-in", JSON.stringify(result));
    },
    fetch(url, init) {
      assert.ok(url.startsWith(`${BASE_URL}/v1/`), url);
      init.signal?.throwIfAborted();
      const path = url.slice(BASE_URL.length);
      world.requests.push(`${init.method ?? "GET"} ${path.split("?")[0]}`);
      return world.network(() => send(world.ask, path, init), { path, init });
    },
  };
  return world;
}

/** The address of the sign-in page. */
export async function beginSignIn(client: SyncClient, options?: SignInOptions): Promise<string> {
  const begun = await client.beginSignIn(options);
  assert.ok(begun.kind === "begun", JSON.stringify(begun));
  return begun.url;
}

/** A body ends with its signal, as that of a real `fetch` does. */
async function send(ask: Ask, path: string, init: RequestInit): Promise<Response> {
  const response = await ask(path, init);
  const { body, status, headers } = response;
  if (body === null || init.signal === undefined || init.signal === null) return response;
  const bounded = body.pipeThrough(new TransformStream(), { signal: init.signal });
  return new Response(bounded, { status, headers });
}

export async function syncNow(client: SyncClient) {
  const result = await client.sync();
  assert.equal(result.kind, "synced", JSON.stringify(result));
  assert.ok(result.kind === "synced");
  return result;
}

export async function syncAll(...clients: readonly SyncClient[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const client of clients) await syncNow(client);
}

/** Everything that the client shows, by entity id. */
export function shown(client: SyncClient): Record<string, unknown> {
  return Object.fromEntries(
    client.entities.list().map(({ entityId, payload }) => [entityId, payload]),
  );
}

export async function stored(result: Promise<{ readonly kind: string }>): Promise<string> {
  const settled = await result;
  assert.ok("operationId" in settled, JSON.stringify(settled));
  return String(settled.operationId);
}

/** For what a client does by itself, on the timers of the platform. */
export const automatic = { setTimer: setGlobalTimer } as const;

export async function waitUntil(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, `Waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
