/** The personal sync service with its pages. */
import { createHttpService } from "../http/create-http-service.ts";
import { createEmbeddingHooks } from "../http/service-hooks.ts";
import { createStoredService, type StoredService } from "../http/stored-service.ts";
import { createChanges } from "./changes/changes.ts";
import { createDevices } from "./devices/devices.ts";
import { createKeyList } from "./keys/key-list.ts";
import { createLog } from "./log/log.ts";
import { createOwnerHandlers } from "./owner/owner-handlers.ts";
import { createSyncHooks } from "./responses/service-hooks.ts";
import { createSyncHandlers, ownerPathsOf, routesOf } from "./routes.ts";
import { createDependencies } from "./setup/dependencies.ts";
import type { SyncServiceOptions } from "./setup/options.ts";
import { createSyncSignIn } from "./sign-in/sync-sign-in.ts";

/**
 * A running sync service: call `fetch` with each request, `endStreams` before your server stops, and `close`
 * at the end.
 */
export interface SyncService extends StoredService {
  /** Rejects while the store cannot be written. */
  checkReady(): Promise<void>;
  /**
   * Ends the open streams of changes, and opens none any more. A server that stops calls this
   * first: it waits for its responses, and streams do not end by themselves.
   */
  endStreams(): void;
}

/**
 * Makes the personal sync service of one instance. Use it to serve sync from a program of your own in place
 * of `trellis serve`; for many people, use `createSyncHost`.
 * @returns the service, which closes the store when it is closed
 * @example
 * ```ts
 * import { createPushReaders, createSyncService, openSyncStore } from "trellis/sync";
 *
 * const sync = createSyncService({
 *   store: await openSyncStore("sqlite:./data/sync.db", "./data"),
 *   instanceKey: Buffer.from(process.env["INSTANCE_KEY"] ?? "", "base64url"),
 *   baseUrl: "https://sync.example.com",
 *   displayName: "My sync",
 *   redirectUris: ["https://app.example.com/callback"],
 *   // Only for several services in one process, which then share their threads.
 *   pushReaders: createPushReaders(),
 * });
 * const response = await sync.fetch(new Request("https://sync.example.com/v1/health"));
 * ```
 */
export function createSyncService(options: SyncServiceOptions): SyncService {
  const { ownerPage: hasOwnerPage = true, onNotice } = options;
  const dependencies = createDependencies(options);
  const { store, storage, now } = dependencies;
  const signIn = createSyncSignIn(dependencies);
  const devices = createDevices(dependencies);
  const changes = createChanges(dependencies);
  const log = createLog(dependencies, changes.noteAppend);
  const keys = createKeyList(dependencies);
  const owner = createOwnerHandlers(dependencies, devices.tokens);
  const http = createHttpService(
    routesOf(hasOwnerPage),
    createSyncHandlers(dependencies, { signIn, devices, changes, log, keys, owner }),
    {
      ...createSyncHooks({
        ...dependencies,
        corsOrigins: options.corsOrigins ?? [],
        ownerPaths: ownerPathsOf(hasOwnerPage),
      }),
      ...createEmbeddingHooks(options),
      maxBodyBytes: dependencies.limits.maxBodyBytes,
      authenticate: devices.authenticate,
      rateLimiters: signIn.rateLimiters,
      isKnownBrowser: dependencies.account.isKnownBrowser,
    },
  );
  const service = createStoredService({
    http,
    store: {
      prune: (at) => storage.tolerate(() => store.prune(at)),
      async close() {
        await changes.close();
        storage.close();
        await log.close();
        await store.close();
      },
    },
    now,
    onNotice,
  });
  return { ...service, checkReady: storage.checkReady, endStreams: changes.endAll };
}
