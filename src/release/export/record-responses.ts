/** Records responses from the service's own handlers, over one load, so no file differs from the live one. */
import { RELEASE_ERROR_CODES } from "../../contract/release/errors.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import {
  DEFAULT_ARCHITECTURES,
  DEFAULT_CHANNEL,
  DEFAULT_PAGE_LIMIT,
  DISTRIBUTION_PLATFORMS,
  MAX_PAGE,
  MAX_PAGE_LIMIT,
  RELEASE_CHANNELS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import {
  headerEntries,
  joinBody,
  type CompleteResponse,
  type HttpResponse,
} from "../../http/response.ts";
import { CONTENT_CODINGS, type ContentEncoding } from "../../http/content-encoding.ts";
import type { HttpService } from "../../http/create-http-service.ts";
import { forEachChannel, latestOf } from "../../rules/release/catalog.ts";
import type { PreparedResponses } from "../responses/prepare-responses.ts";
import { createOrigins } from "../service.ts";
import { createReleaseHooks } from "../responses/service-hooks.ts";
import {
  listFeeds,
  NO_UPDATE_TARGET,
  type ResponseAddress,
  type StoredResponse,
} from "./feed-files.ts";

/** The rules replace this text by the id of each request. */
export const REQUEST_ID = "REQUEST-ID";

export interface ExportAddresses {
  readonly baseUrl: string;
  readonly smartDownloadUrl: string;
  readonly websiteDownloadUrl: string;
  readonly environment: string;
}

export interface RecordedRedirect {
  readonly channel: ReleaseChannel;
  readonly platform: DistributionPlatform;
  readonly architecture: string;
  /** Whether the route without an architecture redirects here too. */
  readonly isDefault: boolean;
  readonly target: string;
  readonly location: string;
}

export interface Recording {
  readonly addresses: ExportAddresses;
  readonly feeds: FeedSettings;
  readonly stored: readonly StoredResponse[];
  readonly redirects: readonly RecordedRedirect[];
  /** Responses without a file, by name: error codes and a few others. */
  readonly responses: Readonly<Record<string, HttpResponse>>;
  readonly limits: readonly number[];
  readonly totals: Readonly<Record<ReleaseChannel, number>>;
  readonly emptyChannels: readonly ReleaseChannel[];
}

export function recordResponses(
  releases: readonly PublishedSource[],
  prepared: PreparedResponses,
  addresses: ExportAddresses,
  feeds: FeedSettings,
  now: number,
): Recording {
  const hooks = { ...createReleaseHooks(addresses), createRequestId: () => REQUEST_ID };
  // An appcast is recorded as it is now; update decisions, which also depend on the clock, are not.
  const settings = { ...addresses, feeds, responses: () => prepared, now: () => now };
  const { api, smartDownload } = createOrigins(settings, hooks);
  const totals = forEachChannel(
    (channel) => releases.filter((release) => release.channel === channel).length,
  );
  const limits = chooseLimits(Object.values(totals));
  const entries = [
    ...listTargets(releases, prepared, totals, limits),
    ...listFeeds(prepared.feeds(now).feeds, feeds),
  ];
  const stored = entries.map((entry) => record(api, entry));
  const redirects = recordRedirects(api, releases);
  return {
    addresses,
    feeds,
    stored,
    redirects,
    responses: {
      ...recordErrors(api),
      ...recordOthers(api, smartDownload),
      ...(feeds.tauri && { noUpdate: send(api, NO_UPDATE_TARGET) }),
      ...recordUnchanged(api, stored),
      ...(redirects[0] !== undefined && { artifact: send(api, redirects[0].target) }),
    },
    limits,
    totals,
    emptyChannels: RELEASE_CHANNELS.filter((channel) => totals[channel] === 0),
  };
}

function listTargets(
  releases: readonly PublishedSource[],
  { manifest, archives }: PreparedResponses,
  totals: Recording["totals"],
  limits: readonly number[],
): ResponseAddress[] {
  const entries: ResponseAddress[] = [];
  const add = (
    operationId: ResponseAddress["operationId"],
    key: string,
    target: string,
    file: string,
  ) => entries.push({ operationId, key, target, file: `${file}.json` });
  if (manifest !== null) {
    add("getSignedManifest", "manifest", "/api/v1/manifest", "/api/v1/manifest/index");
  }
  for (const channel of RELEASE_CHANNELS) {
    const name = channel === DEFAULT_CHANNEL ? "index" : channel;
    if (totals[channel] > 0) {
      const path = "/api/v1/releases/latest";
      add("getLatestRelease", `latest/${channel}`, `${path}?channel=${channel}`, `${path}/${name}`);
    }
    for (const limit of limits) {
      for (let page = 1; page <= pageCount(totals[channel], limit); page++) {
        const path = "/api/v1/releases";
        const isFirst = page === 1 && limit === DEFAULT_PAGE_LIMIT;
        add(
          "listReleases",
          `list/${channel}/${limit}/${page}`,
          `${path}?channel=${channel}&limit=${limit}&page=${page}`,
          isFirst ? `${path}/${name}` : `${path}/pages/${channel}/${limit}/${page}`,
        );
      }
    }
  }
  for (const { version } of releases) {
    const path = `/api/v1/releases/${version}`;
    add("getRelease", `release/${version}`, path, `${path}/index`);
    add(
      "getReleaseDownloads",
      `downloads/${version}`,
      `${path}/downloads`,
      `${path}/downloads/index`,
    );
    const files = `/feeds/files/${version}`;
    add("getReleaseFiles", `files/${version}`, files, `${files}/index`);
  }
  for (const sha256 of archives.digests) {
    if (archives.find(sha256) === undefined) continue;
    const path = `/feeds/archive/${sha256}`;
    add("getReleaseArchive", `archive/${sha256}`, path, `${path}/index`);
  }
  return entries;
}

/** A client that names no limit gets 20; these are the others that people type. */
const COMMON_LIMITS = [10, DEFAULT_PAGE_LIMIT, 50, MAX_PAGE_LIMIT];

/**
 * All sizes of a list of N releases need about 5.2 N files and repeat every release a hundred times,
 * so that a long history would mostly consist of lists that are never requested.
 */
const MAX_PAGE_FILES = 2000;

/** Every limit while that stays within bounds, else the common ones; `totals` are releases per channel. */
function chooseLimits(totals: readonly number[]): readonly number[] {
  const every = Array.from({ length: MAX_PAGE_LIMIT }, (_, index) => index + 1);
  const files = every.flatMap((limit) => totals.map((total) => pageCount(total, limit)));
  return files.reduce((sum, count) => sum + count, 0) <= MAX_PAGE_FILES ? every : COMMON_LIMITS;
}

/** One more page than there are: a client that reads to the end requests the empty page after it. */
function pageCount(total: number, limit: number): number {
  return Math.ceil(total / limit) + 1;
}

function record(api: HttpService, entry: ResponseAddress): StoredResponse {
  const plain = sendAccepting(api, entry.target, "identity");
  const encoded = CONTENT_CODINGS.map((encoding) => ({
    encoding,
    ...sendAccepting(api, entry.target, encoding),
  }));
  return {
    ...entry,
    ...plain,
    encoded: encoded.filter(({ encoding, headers }) => headers["Content-Encoding"] === encoding),
  };
}

function sendAccepting(api: HttpService, target: string, encoding: ContentEncoding) {
  const { status, headers, body } = send(api, target, "GET", { "accept-encoding": encoding });
  const etag = headers["ETag"];
  if (status !== 200 || etag === undefined) {
    throw new Error(`Cannot record ${target}: the service responded with status ${status}`);
  }
  return { headers, etag, body: bytesOf(body) };
}

export function bytesOf(body: HttpResponse["body"]): Uint8Array {
  const content = joinBody(body);
  if (content instanceof ReadableStream) throw new Error("A streamed response cannot be recorded");
  return typeof content === "string" ? Buffer.from(content) : (content ?? new Uint8Array());
}

function recordRedirects(
  api: HttpService,
  releases: readonly PublishedSource[],
): RecordedRedirect[] {
  const platforms: ReadonlySet<string> = new Set(DISTRIBUTION_PLATFORMS);
  const found = new Map<string, RecordedRedirect>();
  for (const channel of RELEASE_CHANNELS) {
    for (const { platform, architecture } of latestOf(releases, channel)?.artifacts ?? []) {
      if (!platforms.has(platform)) continue;
      const target = `/api/v1/download/${platform}/${encodeURIComponent(architecture)}?channel=${channel}`;
      const supported = platform as DistributionPlatform;
      found.set(target, {
        channel,
        platform: supported,
        architecture,
        isDefault: DEFAULT_ARCHITECTURES[supported] === architecture,
        target,
        location: send(api, target).headers["Location"] ?? "",
      });
    }
  }
  return [...found.values()];
}

function recordErrors(api: HttpService): Record<string, HttpResponse> {
  return Object.fromEntries(
    RELEASE_ERROR_CODES.map((code) => [
      code,
      toRecorded(api.protocolErrorResponse({ kind: "invalid-parameter", name: "", code })),
    ]),
  );
}

function recordOthers(api: HttpService, selector: HttpService): Record<string, HttpResponse> {
  return {
    health: send(api, "/health"),
    preflight: send(api, "/health", "OPTIONS"),
    legacy: send(api, "/download"),
    selected: send(selector, "/"),
    emptyPage: send(api, `/api/v1/releases?page=${MAX_PAGE}`),
  };
}

/** Headers of the full response as `<operationId>`, and the 304 as `<operationId>-unchanged`. */
function recordUnchanged(
  api: HttpService,
  stored: readonly StoredResponse[],
): Record<string, HttpResponse> {
  const responses: Record<string, HttpResponse> = {};
  for (const { operationId, target } of stored) {
    if (operationId in responses) continue;
    responses[operationId] = { ...send(api, target), body: null };
    responses[`${operationId}-unchanged`] = send(api, target, "GET", { "if-none-match": "*" });
  }
  return responses;
}

function send(
  service: HttpService,
  target: string,
  method = "GET",
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const response = service.respond({
    method,
    target,
    header: (name) => headers[name] ?? null,
    remoteAddress: undefined,
    body: () => new Blob([]).stream(),
  });
  if (response instanceof Promise) throw new Error(`The response to ${target} is not synchronous`);
  return toRecorded(response);
}

function toRecorded(response: CompleteResponse): HttpResponse {
  const { status, body } = response;
  return { status, headers: Object.fromEntries(headerEntries(response)), body };
}
