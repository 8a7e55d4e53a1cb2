/** The release service: `fetch` for embedders, one origin each for listeners. */
import { ALL_FEEDS, type FeedSettings } from "../contract/release/feed-values.ts";
import { createHttpService, type HttpService } from "../http/create-http-service.ts";
import { handleFetch } from "../http/fetch.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { RequestLines, RequestLog } from "../http/request-log.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import { createReleaseHooks, type ReleaseEmbedding } from "./responses/service-hooks.ts";
import { loadCatalog, type CatalogNotice } from "./catalog.ts";
import type { ReleaseDependencies } from "./dependencies.ts";
import {
  createApiHandlers,
  createSmartDownloadHandlers,
  servedRoutes,
  SMART_DOWNLOAD_ROUTES,
} from "./routes.ts";

/** The settings of a release service: its catalogue, its public addresses, and where its notices go. */
export interface ReleaseServiceOptions {
  /** The catalogue folder. It is watched: a change is loaded as a whole, or not at all. */
  readonly catalog: string;
  /** The public address of the API, without a slash at its end. */
  readonly baseUrl: string;
  /** The public address of the smart-download origin, without a slash at its end. */
  readonly smartDownloadUrl: string;
  /** The address to which the smart download redirects when the platform is unknown. */
  readonly websiteDownloadUrl: string;
  /** The name that /health shows. */
  readonly environment?: string;
  /** The feeds for other updaters; each is served unless it is turned off. */
  readonly feeds?: Partial<FeedSettings>;
  /** The limit of each client address; without it there is none. */
  readonly rateLimit?: RateLimit;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Receives one entry, or one JSON line, per request. */
  readonly log?: RequestLog | RequestLines;
  /** What a program that keeps metrics or traces learns. */
  readonly observer?: RequestObserver;
  /** Called on each load, on an invalid catalogue, and on an unexpected error. */
  readonly onNotice?: (notice: ReleaseNotice) => void;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * What a release service reports to `onNotice`: that it loaded or refused a catalogue, or met an unexpected
 * error.
 */
export type ReleaseNotice =
  | CatalogNotice
  | { readonly kind: "unexpected-error"; readonly requestId: string; readonly error: unknown };

/**
 * A running release service: call `fetch` with each request, or give its two origins to `createNodeHandler`.
 */
export interface ReleaseService {
  /**
   * Serves both origins: requests to the host of `smartDownloadUrl` go to the selector, all others to
   * the API. Waits for the catalogue; rejects when it is invalid.
   */
  fetch(request: Request): Promise<Response>;
  /** Stops watching the catalogue. */
  close(): Promise<void>;
  /** Resolves when the catalogue is loaded; rejects with a CatalogError when it is invalid. */
  readonly ready: Promise<void>;
  /** The API alone, for a server with a listener of its own. */
  readonly api: HttpService;
  /** The smart-download selector alone. */
  readonly smartDownload: HttpService;
  /** When the manifest that is served expires, in milliseconds since 1970; null without a manifest. */
  manifestExpiresAt(): number | null;
}

/**
 * Makes the release service of a catalogue folder, which it watches. Use it to serve updates and downloads
 * from a program of your own in place of `trellis serve`.
 * @returns the service, which responds as soon as the catalogue is loaded
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { createNodeHandler, createReleaseService } from "trellis/release";
 *
 * const releases = createReleaseService({
 *   catalog: "./catalog",
 *   baseUrl: "https://releases.example.com",
 *   smartDownloadUrl: "https://get.example.com",
 *   websiteDownloadUrl: "https://www.example.com/#download",
 *   onNotice: ({ kind }) => console.error(kind),
 * });
 * await releases.ready;
 * createServer(createNodeHandler(releases.api)).listen(4801, "127.0.0.1");
 * ```
 */
export function createReleaseService(options: ReleaseServiceOptions): ReleaseService {
  const now = options.now ?? Date.now;
  const catalog = loadCatalog(options.catalog, now, (notice) => options.onNotice?.(notice));
  const dependencies = {
    baseUrl: options.baseUrl,
    smartDownloadUrl: options.smartDownloadUrl,
    websiteDownloadUrl: options.websiteDownloadUrl,
    environment: options.environment ?? "production",
    feeds: { ...ALL_FEEDS, ...options.feeds },
    now,
    responses: catalog.responses,
  };
  const { api, smartDownload } = createOrigins(dependencies, options);
  const smartHost = new URL(options.smartDownloadUrl).host;
  const hasOwnHost = smartHost !== new URL(options.baseUrl).host;
  return {
    async fetch(request) {
      await catalog.ready;
      const isSmart = hasOwnHost && new URL(request.url).host === smartHost;
      return handleFetch(isSmart ? smartDownload : api, request);
    },
    close: async () => catalog.close(),
    ready: catalog.ready,
    api,
    smartDownload,
    manifestExpiresAt: catalog.manifestExpiresAt,
  };
}

export function createOrigins(dependencies: ReleaseDependencies, embedding: ReleaseEmbedding = {}) {
  const hooks = createReleaseHooks(dependencies, embedding);
  const apiRoutes = servedRoutes(dependencies.feeds);
  return {
    api: createHttpService(apiRoutes, createApiHandlers(dependencies), hooks),
    smartDownload: createHttpService(
      SMART_DOWNLOAD_ROUTES,
      createSmartDownloadHandlers(dependencies),
      hooks,
    ),
  };
}
