/** The handlers of the release contract. Bodies are prepared when the catalogue is loaded. */
import { CACHE, cacheFor, RELEASE_ROUTES } from "../contract/release/routes.ts";
import type { ReleaseErrorCode } from "../contract/release/errors.ts";
import { FEED_ROUTES, isRouteServed } from "../contract/release/feed-routes.ts";
import type { FeedSettings } from "../contract/release/feed-values.ts";
import {
  DEFAULT_ARCHITECTURES,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../contract/release/values.ts";
import { chooseNegotiated, type NegotiatedResponse } from "../http/negotiated-response.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../http/response.ts";
import type { Handlers } from "../http/create-http-service.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestContext } from "../http/request.ts";
import { selectDownload } from "../rules/release/select-download.ts";
import { compareAppVersions } from "../rules/release/app-version.ts";
import type { ReleaseDependencies } from "./dependencies.ts";
import type { CurrentFeeds } from "./responses/prepare-feeds.ts";
import type { PreparedResponses } from "./responses/prepare-responses.ts";

const { selectSmartDownload, ...CONTRACT_ROUTES } = RELEASE_ROUTES;
export const API_ROUTES = { ...CONTRACT_ROUTES, ...FEED_ROUTES };
export const SMART_DOWNLOAD_ROUTES = { selectSmartDownload };

/** The routes without the feeds that are turned off: their addresses are unknown like any other. */
export function servedRoutes(feeds: FeedSettings): typeof API_ROUTES {
  const served = Object.entries(API_ROUTES).filter(([id]) => isRouteServed(id, feeds));
  return Object.fromEntries(served) as typeof API_ROUTES;
}

export function createSmartDownloadHandlers({
  baseUrl,
  websiteDownloadUrl,
}: ReleaseDependencies): Handlers<typeof SMART_DOWNLOAD_ROUTES> {
  const headers = { "Cache-Control": CACHE.perVisitor, Vary: "User-Agent" };
  return {
    selectSmartDownload(query, context) {
      const userAgent = context.header("user-agent") ?? "";
      const path = selectDownload({ ...query, userAgent });
      const location = path === null ? websiteDownloadUrl : baseUrl + path;
      return redirectResponse(302, location, headers);
    },
  };
}

export function createApiHandlers(dependencies: ReleaseDependencies): Handlers<typeof API_ROUTES> {
  const { smartDownloadUrl, now, responses } = dependencies;
  const environment = JSON.stringify(dependencies.environment);
  return {
    redirectLegacyDownload(_input, { target }) {
      // An empty query is a query, too.
      const query = target.includes("?") ? target.slice(target.indexOf("?")) : "";
      const headers = { "Cache-Control": CACHE.legacy };
      return redirectResponse(308, `${smartDownloadUrl}/${query}`, headers);
    },
    getHealth: (_input, { requestId }) =>
      jsonResponse(200, `{"status":"ok","environment":${environment},"requestId":"${requestId}"}`, {
        "Cache-Control": CACHE.never,
      }),
    getSignedManifest(_input, context) {
      const { manifest } = responses();
      return manifest === null
        ? noResource("manifest_unavailable")
        : conditional(manifest, context);
    },
    listReleases: ({ channel, page, limit }, context) =>
      conditional(responses().list[channel].page(page, limit), context),
    getLatestRelease: ({ channel }, context) =>
      ofRelease(responses().latest[channel]?.release, context),
    getRelease: ({ version }, context) =>
      ofRelease(responses().release(version)?.release(), context),
    getReleaseDownloads: ({ version }, context) =>
      ofRelease(responses().release(version)?.downloads(), context),
    checkForUpdate({ platform, version, build, channel }) {
      const latest = responses().latest[channel];
      return latest === undefined
        ? noResource("release_not_found")
        : latest.decide(platform, { version, buildNumber: build }, now());
    },
    downloadForDefaultArchitecture: ({ platform, channel }) =>
      download(responses(), platform, DEFAULT_ARCHITECTURES[platform], channel),
    downloadForArchitecture: ({ platform, architecture, channel }) =>
      download(responses(), platform, architecture, channel),
    ...createFeedHandlers(() => responses().feeds(now()), now),
    getReleaseFiles: ({ version }, context) =>
      ofRelease(responses().release(version)?.files(), context),
    getReleaseArchive({ sha256 }, context) {
      const archive = responses().archives.find(sha256);
      const respond = (found: NegotiatedResponse | undefined) =>
        found === undefined ? noResource("not_found") : conditional(found, context);
      return archive instanceof Promise ? archive.then(respond) : respond(archive);
    },
  };
}

function download(
  responses: PreparedResponses,
  platform: DistributionPlatform,
  architecture: string,
  channel: ReleaseChannel,
): HttpResponse | HttpError {
  const latest = responses.latest[channel];
  if (latest === undefined) return noResource("release_not_found");
  return latest.redirect(platform, architecture) ?? noResource("artifact_not_found");
}

const NO_UPDATE: HttpResponse = {
  status: 204,
  headers: { "Cache-Control": CACHE.current },
  body: null,
};

/** `current` is called once for each request, so that a reload in between is atomic. */
function createFeedHandlers(
  current: () => CurrentFeeds,
  now: () => number,
): Omit<Handlers<typeof FEED_ROUTES>, "getReleaseFiles" | "getReleaseArchive"> {
  const send = (path: string, context: RequestContext) =>
    ofRelease(current().feeds.get(path)?.response, context);
  const update = (path: string, installed: string, context: RequestContext) => {
    const feed = current().feeds.get(path);
    return feed?.version !== undefined && compareAppVersions(installed, feed.version) < 0
      ? ofRelease(feed.response, context)
      : NO_UPDATE;
  };
  return {
    getElectronFeed: ({ file }, context) => send(`/feeds/electron/${file}`, context),
    getTauriFeed: ({ file }, context) => send(`/feeds/tauri/${file}`, context),
    getTauriUpdate: ({ channel, target, arch, current_version }, context) =>
      update(`/feeds/tauri/${channel}/${target}/${arch}`, current_version, context),
    getTauriBundleUpdate: ({ channel, target, arch, bundle_type, current_version }, context) =>
      update(`/feeds/tauri/${channel}/${target}/${arch}/${bundle_type}`, current_version, context),
    getAppcast({ channel }, context) {
      const { feeds, changesAt } = current();
      const feed = feeds.get(`/feeds/sparkle/${channel}/appcast.xml`);
      return keepUntil(changesAt, now(), ofRelease(feed?.response, context));
    },
    getSquirrelMacFeed: ({ channel, arch }, context) =>
      send(`/feeds/squirrel/${channel}/darwin/${arch}/RELEASES.json`, context),
  };
}

/** Keeps caches from serving a feed after the moment at which it changes. */
function keepUntil(
  changesAt: number,
  now: number,
  response: HttpResponse | HttpError,
): HttpResponse | HttpError {
  if ("kind" in response || changesAt === Infinity) return response;
  const secondsLeft = Math.max(0, Math.floor((changesAt - now) / 1000));
  return { ...response, headers: { ...response.headers, "Cache-Control": cacheFor(secondsLeft) } };
}

/** No published release matches when there is no response. */
function ofRelease(
  response: NegotiatedResponse | null | undefined,
  context: RequestContext,
): HttpResponse | HttpError {
  return response ? conditional(response, context) : noResource("release_not_found");
}

function conditional(response: NegotiatedResponse, context: RequestContext): HttpResponse {
  return chooseNegotiated(response, context);
}

function noResource(code: ReleaseErrorCode): HttpError {
  return { kind: "no-resource", code };
}
