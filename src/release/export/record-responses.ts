/** Records responses from the service's own handlers, over one load, so no file differs from the live one. */
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import {
  DEFAULT_ARCHITECTURES,
  DEFAULT_CHANNEL,
  DISTRIBUTION_PLATFORMS,
  RELEASE_CHANNELS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import { headerEntries, joinBody, type HttpResponse } from "../../http/response.ts";
import { CONTENT_CODINGS, type ContentEncoding } from "../../http/content-encoding.ts";
import type { HttpService } from "../../http/create-http-service.ts";
import { latestOf } from "../../rules/release/catalog.ts";
import type { PreparedResponses } from "../responses/prepare-responses.ts";
import { createOrigins } from "../service.ts";
import { listFeeds, type ResponseAddress, type StoredResponse } from "./feed-files.ts";

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
  readonly stored: readonly StoredResponse[];
  readonly redirects: readonly RecordedRedirect[];
  /** Of every response, whatever its route and status. */
  readonly sharedHeaders: Readonly<Record<string, string>>;
}

export function recordResponses(
  releases: readonly PublishedSource[],
  prepared: PreparedResponses,
  addresses: ExportAddresses,
  feeds: FeedSettings,
  now: number,
): Recording {
  // An appcast is recorded as it is now; update decisions, which also depend on the clock, are not.
  const { api } = createOrigins({
    ...addresses,
    feeds,
    responses: () => prepared,
    now: () => now,
  });
  const entries = [
    ...listTargets(releases, prepared),
    ...listFeeds(prepared.feeds(now).feeds, feeds),
  ];
  return {
    addresses,
    stored: entries.map((entry) => record(api, entry)),
    redirects: recordRedirects(api, releases),
    sharedHeaders: recordSharedHeaders(api),
  };
}

function listTargets(
  releases: readonly PublishedSource[],
  { manifest, archives }: PreparedResponses,
): ResponseAddress[] {
  const entries: ResponseAddress[] = [];
  const add = (operationId: ResponseAddress["operationId"], target: string, file: string) =>
    entries.push({ operationId, target, file: `${file}.json` });
  if (manifest !== null) add("getSignedManifest", "/api/v1/manifest", "/api/v1/manifest/index");
  for (const channel of RELEASE_CHANNELS) {
    const name = channel === DEFAULT_CHANNEL ? "index" : channel;
    const list = "/api/v1/releases";
    if (latestOf(releases, channel) !== undefined) {
      add("getLatestRelease", `${list}/latest?channel=${channel}`, `${list}/latest/${name}`);
    }
    add("listReleases", `${list}?channel=${channel}`, `${list}/${name}`);
  }
  for (const { version } of releases) {
    const path = `/api/v1/releases/${version}`;
    add("getRelease", path, `${path}/index`);
    add("getReleaseDownloads", `${path}/downloads`, `${path}/downloads/index`);
    add("getReleaseFiles", `/feeds/files/${version}`, `/feeds/files/${version}/index`);
  }
  for (const sha256 of archives.digests) {
    if (archives.find(sha256) === undefined) continue;
    add("getReleaseArchive", `/feeds/archive/${sha256}`, `/feeds/archive/${sha256}/index`);
  }
  return entries;
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
  const { status, headers, body } = send(api, target, { "accept-encoding": encoding });
  if (status !== 200) {
    throw new Error(`Cannot record ${target}: the service responded with status ${status}`);
  }
  return { headers, body: bytesOf(body) };
}

function bytesOf(body: HttpResponse["body"]): Uint8Array {
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

/** Those of an address that is not there, without what is its own. */
function recordSharedHeaders(api: HttpService): Record<string, string> {
  const own = new Set(["Content-Type", "Content-Length", "Cache-Control", "X-Request-Id"]);
  const { headers } = send(api, "/nowhere");
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)));
}

function send(
  service: HttpService,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const response = service.respond({
    method: "GET",
    target,
    header: (name) => headers[name] ?? null,
    remoteAddress: undefined,
    body: () => new Blob([]).stream(),
  });
  if (response instanceof Promise) throw new Error(`The response to ${target} is not synchronous`);
  const { status, body } = response;
  return { status, headers: Object.fromEntries(headerEntries(response)), body };
}
