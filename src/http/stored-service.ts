/** A service with a store, as embedders and listeners hold it; it prunes the store while it is open. */
import type { HttpService } from "./create-http-service.ts";
import { handleFetch } from "./fetch.ts";

export interface StoredService {
  fetch(request: Request): Promise<Response>;
  /** Closes the store too. */
  close(): Promise<void>;
  readonly http: HttpService;
}

export type StoredServiceNotice =
  | { readonly kind: "unexpected-error"; readonly requestId: string; readonly error: unknown }
  | { readonly kind: "prune-failed"; readonly error: unknown };

export interface StoredServiceDependencies {
  readonly http: HttpService;
  readonly store: {
    /** Removes what is over. */
    prune(now: number): Promise<void>;
    close(): Promise<void>;
  };
  now(): number;
  readonly onNotice: ((notice: StoredServiceNotice) => void) | undefined;
}

const PRUNE_INTERVAL_MS = 10 * 60_000;

export function createStoredService(parts: StoredServiceDependencies): StoredService {
  const { http, store, now, onNotice } = parts;
  const pruning = setInterval(() => {
    store.prune(now()).catch((error: unknown) => onNotice?.({ kind: "prune-failed", error }));
  }, PRUNE_INTERVAL_MS).unref();
  return {
    fetch: (request) => handleFetch(http, request),
    async close() {
      clearInterval(pruning);
      await store.close();
    },
    http,
  };
}
