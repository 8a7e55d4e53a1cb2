/**
 * Everything the service will answer from one catalogue, made once when it is loaded. A request then
 * only picks, and its cost does not grow with the catalogue.
 */
import type { Release } from "../contract/release/schemas.ts";
import { CACHE } from "../contract/release/routes.ts";
import {
  DISTRIBUTION_PLATFORMS,
  RELEASE_CHANNELS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../contract/release/values.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../http/response.ts";
import { conditionalJson, type ConditionalResponse } from "../http/conditional.ts";
import { latestOf } from "../rules/release/catalog.ts";
import { deadlineOf, decideUpdate } from "../rules/release/decide-update.ts";
import { withChannel } from "../rules/release/select-download.ts";
import { createListPages, type ListPages } from "./list-pages.ts";
import type { PublishedBodies } from "./release-body.ts";

export interface PreparedRelease {
  readonly release: ConditionalResponse;
  readonly downloads: ConditionalResponse;
}

export interface PreparedLatest {
  readonly answer: ConditionalResponse;
  decide(
    platform: DistributionPlatform,
    current: { readonly version: string; readonly buildNumber: number },
    now: number,
  ): HttpResponse;
  /** The redirect to the first matching artifact in catalogue order. */
  redirect(platform: DistributionPlatform, architecture: string): HttpResponse | undefined;
}

export interface PreparedResponses {
  readonly byVersion: Pick<ReadonlyMap<string, PreparedRelease>, "get">;
  readonly latest: Readonly<Record<ReleaseChannel, PreparedLatest | undefined>>;
  readonly list: Readonly<Record<ReleaseChannel, ListPages>>;
  readonly manifest: ConditionalResponse | null;
}

export function prepareResponses(
  published: PublishedBodies,
  envelope: Uint8Array<ArrayBuffer> | null,
): PreparedResponses {
  const { summaries } = published;
  const perChannel = <T>(prepare: (channel: ReleaseChannel) => T) =>
    Object.fromEntries(RELEASE_CHANNELS.map((channel) => [channel, prepare(channel)])) as Record<
      ReleaseChannel,
      T
    >;
  return {
    byVersion: { get: prepareReleases(published) },
    latest: perChannel((channel) => prepareLatest(published, channel)),
    list: perChannel((channel) =>
      createListPages(summaries.filter((release) => release.channel === channel)),
    ),
    manifest: envelope === null ? null : conditionalJson(envelope, CACHE.current),
  };
}

/** Old releases are asked for rarely: their answers are made when they are. */
const MAX_KEPT_RELEASES = 512;

function prepareReleases(published: PublishedBodies): PreparedResponses["byVersion"]["get"] {
  const kept = new Map<string, PreparedRelease>();
  return (version) => {
    const known = kept.get(version);
    if (known !== undefined) return known;
    const body = published.find(version);
    if (body === undefined) return undefined;
    const downloads = `{"version":"${version}"${body.text.slice(body.artifactsAt)}`;
    const prepared = {
      release: conditionalJson(body.text, CACHE.immutable),
      downloads: conditionalJson(downloads, CACHE.immutable),
    };
    if (kept.size >= MAX_KEPT_RELEASES) kept.clear();
    kept.set(version, prepared);
    return prepared;
  };
}

function prepareLatest(
  published: PublishedBodies,
  channel: ReleaseChannel,
): PreparedLatest | undefined {
  const summary = latestOf(published.summaries, channel);
  const body = summary && published.find(summary.version);
  if (body === undefined) return undefined;
  const latest = JSON.parse(body.text) as Release;
  const redirects = prepareRedirects(latest);
  return {
    answer: conditionalJson(body.text, CACHE.current),
    decide: createDecisions(latest, channel),
    redirect: (platform, architecture) => redirects.get(`${platform}/${architecture}`),
  };
}

/** Versions in the field are few; the decisions for them are made once, on each side of the deadline. */
const MAX_KEPT_DECISIONS = 1024;

function createDecisions(latest: Release, channel: ReleaseChannel): PreparedLatest["decide"] {
  const target = JSON.stringify({ version: latest.version, buildNumber: latest.buildNumber });
  const deadline = deadlineOf(latest.mandatoryAfter);
  const kept = new Map<string, HttpResponse>();
  return (platform, current, now) => {
    const key = `${platform} ${current.version} ${current.buildNumber} ${now >= deadline}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const { updateAvailable, mandatory } = decideUpdate(current, latest, now);
    const download = withChannel(`/api/v1/download/${platform}`, channel);
    // The versions passed their patterns, so they need no escaping.
    const answer = jsonResponse(
      200,
      `{"platform":"${platform}","updateAvailable":${updateAvailable},"mandatory":${mandatory},"current":{"version":"${current.version}","buildNumber":${current.buildNumber}},"target":${target},"minimumSupportedVersion":"${latest.minimumSupportedVersion}","download":"${download}"}`,
      DECISION_HEADERS,
    );
    if (kept.size >= MAX_KEPT_DECISIONS) kept.clear();
    kept.set(key, answer);
    return answer;
  };
}

const DECISION_HEADERS = { "Cache-Control": CACHE.current };

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
