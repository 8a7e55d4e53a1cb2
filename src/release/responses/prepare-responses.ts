/** Prepares responses when a catalogue is loaded: a request selects one, whatever the catalogue's size. */
import { createBoundedCache } from "../../contract/bounded-cache.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import type { Release } from "../../contract/release/schemas.ts";
import { CACHE } from "../../contract/release/routes.ts";
import {
  DISTRIBUTION_PLATFORMS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import { negotiatedJson, type NegotiatedResponse } from "../../http/negotiated-response.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../../http/response.ts";
import {
  forEachChannel,
  isArchived,
  isPublished,
  latestOf,
  toPublicRelease,
  type Catalog,
} from "../../rules/release/catalog.ts";
import {
  deadlineOf,
  decideUpdate,
  toUpdateDecision,
  updateDecisionToJson,
  type ClientCoordinate,
} from "../../rules/release/decide-update.ts";
import { feedContent } from "../../rules/release/feeds/select-feed-releases.ts";
import { releaseFilesText } from "../../rules/release/release-files.ts";
import type { LoadedManifest } from "../catalog/opened-catalog.ts";
import { NO_ARCHIVES, prepareArchives, type ArchiveResponses } from "./archive-responses.ts";
import { createListPages, type ListPages } from "./list-pages.ts";
import { createFeeds, type CurrentFeeds } from "./prepare-feeds.ts";

export interface PreparedResponses {
  readonly manifest: NegotiatedResponse | null;
  readonly list: Readonly<Record<ReleaseChannel, ListPages>>;
  readonly latest: Readonly<Record<ReleaseChannel, LatestResponses | undefined>>;
  release(version: string): ReleaseResponses | undefined;
  feeds(now: number): CurrentFeeds;
  readonly archives: ArchiveResponses;
}

export interface ReleaseResponses {
  release(): NegotiatedResponse;
  downloads(): NegotiatedResponse;
  files(): NegotiatedResponse;
}

export interface LatestResponses {
  readonly release: NegotiatedResponse;
  decide(platform: DistributionPlatform, current: ClientCoordinate, now: number): HttpResponse;
  /** The redirect to the first matching artifact in catalogue order. */
  redirect(platform: DistributionPlatform, architecture: string): HttpResponse | undefined;
}

export function prepareResponses(
  catalog: Catalog,
  manifest: Pick<LoadedManifest, "envelope" | "payload"> | null,
  now: number,
): PreparedResponses {
  const published = catalog.releases.filter(isPublished);
  return {
    manifest: manifest === null ? null : negotiatedJson(manifest.envelope, CACHE.current),
    list: forEachChannel((channel) =>
      createListPages(published.filter((release) => release.channel === channel)),
    ),
    latest: forEachChannel((channel) => prepareLatest(latestOf(published, channel))),
    release: prepareReleases(catalog, published),
    feeds: createFeeds(feedContent(catalog, published), now),
    archives: manifest === null ? NO_ARCHIVES : prepareArchives(catalog, manifest.payload),
  };
}

/** Old releases are requested rarely: each of their responses is made, and compressed, on demand. */
const MAX_CACHED_RESPONSES = 512;

function prepareReleases(
  catalog: Catalog,
  releases: readonly PublishedSource[],
): PreparedResponses["release"] {
  // A history that was not archived yet takes less memory as text.
  const sources = new Map(
    releases.map((release) => [
      release.version,
      isArchived(catalog, release.version) ? release : JSON.stringify(release),
    ]),
  );
  const cache = createBoundedCache<string, NegotiatedResponse>(MAX_CACHED_RESPONSES);
  return (version) => {
    const found = sources.get(version);
    if (found === undefined) return undefined;
    const read = () => (typeof found === "string" ? (JSON.parse(found) as PublishedSource) : found);
    const respond = (name: string, write: (source: PublishedSource) => string) =>
      cache.getOrCreate(`${name} ${version}`, () => negotiatedJson(write(read()), CACHE.immutable));
    return {
      release: () => respond("release", (source) => JSON.stringify(toPublicRelease(source))),
      downloads: () =>
        respond("downloads", (source) =>
          JSON.stringify({ version, artifacts: toPublicRelease(source).artifacts }),
        ),
      files: () => respond("files", releaseFilesText),
    };
  };
}

function prepareLatest(source: PublishedSource | undefined): LatestResponses | undefined {
  if (source === undefined) return undefined;
  const latest = toPublicRelease(source);
  const redirects = prepareRedirects(latest);
  return {
    release: negotiatedJson(JSON.stringify(latest), CACHE.current),
    decide: createDecisions(latest),
    redirect: (platform, architecture) => redirects.get(`${platform}/${architecture}`),
  };
}

/** Few versions are in use at a time. */
const MAX_CACHED_DECISIONS = 1024;
/** Versions and builds have any length, and long ones are no client's. */
const MAX_CACHED_KEY_LENGTH = 128;

function createDecisions(latest: Release): LatestResponses["decide"] {
  const deadline = deadlineOf(latest.mandatoryAfter);
  const beforeDeadline = createBoundedCache<string, HttpResponse>(MAX_CACHED_DECISIONS);
  const afterDeadline = createBoundedCache<string, HttpResponse>(MAX_CACHED_DECISIONS);
  return (platform, current, now) => {
    const create = () => {
      const result = decideUpdate(current, latest, now);
      const decision = toUpdateDecision(platform, current, latest, result);
      return jsonResponse(200, updateDecisionToJson(decision), { "Cache-Control": CACHE.current });
    };
    const key = `${platform} ${current.version} ${current.buildNumber}`;
    if (key.length > MAX_CACHED_KEY_LENGTH) return create();
    return (now < deadline ? beforeDeadline : afterDeadline).getOrCreate(key, create);
  };
}

function prepareRedirects(release: Release): Map<string, HttpResponse> {
  const redirects = new Map<string, HttpResponse>();
  const platforms: ReadonlySet<string> = new Set(DISTRIBUTION_PLATFORMS);
  for (const { platform, architecture, url } of release.artifacts) {
    const key = `${platform}/${architecture}`;
    if (!platforms.has(platform) || redirects.has(key)) continue;
    redirects.set(key, redirectResponse(302, url, { "Cache-Control": CACHE.current }));
  }
  return redirects;
}
