/** A service with a store, as programs embed it; it prunes the store while it is open. */
import { isHttpsOrLoopback } from "../contract/loopback.ts";
import type { HttpService } from "./create-http-service.ts";
import { handleFetch } from "./fetch.ts";

export interface StoredService {
  fetch(request: Request): Promise<Response>;
  /** Closes the service and its store. */
  close(): Promise<void>;
  readonly http: HttpService;
}

export type StoredServiceNotice =
  /** A sign-in page was opened at another origin than that of `baseUrl`, where signing in fails. */
  | { readonly kind: "opened-elsewhere"; readonly requestId: string }
  /** `clientId` is null where apps have no id. */
  | {
      readonly kind: "redirect-not-listed";
      readonly requestId: string;
      readonly clientId: string | null;
    }
  /** A page of an origin that `corsOrigins` does not list asked the service. */
  | { readonly kind: "origin-refused"; readonly requestId: string; readonly origin: string }
  | { readonly kind: "unexpected-error"; readonly requestId: string; readonly error: unknown }
  | { readonly kind: "prune-failed"; readonly error: unknown };

/** A listener that fails must not change a response. */
export function guardNotices<Notice>(
  onNotice: ((notice: Notice) => void) | undefined,
): (notice: Notice) => void {
  return (notice) => {
    try {
      onNotice?.(notice);
    } catch {
      // A notice has no other listener that could learn of the error.
    }
  };
}

export interface StoredServiceDependencies {
  readonly http: HttpService;
  readonly store: {
    prune(now: number): Promise<void>;
    close(): Promise<void>;
  };
  now(): number;
  readonly onNotice: ((notice: StoredServiceNotice) => void) | undefined;
}

const PRUNE_INTERVAL_MS = 10 * 60_000;

export function createStoredService(dependencies: StoredServiceDependencies): StoredService {
  const { http, store, now } = dependencies;
  const notify = guardNotices(dependencies.onNotice);
  const pruning = setInterval(() => {
    store.prune(now()).catch((error: unknown) => notify({ kind: "prune-failed", error }));
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

/** Throws unless the public address of the service is https, or http on loopback. */
export function checkBaseUrl(text: string): void {
  if (URL.canParse(text) && isHttpsOrLoopback(new URL(text))) return;
  throw new Error(`baseUrl must be https, or http on loopback, not "${text}"`);
}
