/**
 * The export is a recording: every answer is asked of the service's own routes and handlers, over one
 * reading of the catalogue, so that a file cannot differ from what the live service would say.
 */
import { RELEASE_ERROR_CODES } from "../../contract/release/errors.ts";
import type { Release } from "../../contract/release/schemas.ts";
import {
  DEFAULT_ARCHITECTURES,
  DEFAULT_CHANNEL,
  DEFAULT_PAGE_LIMIT,
  DISTRIBUTION_PLATFORMS,
  MAX_PAGE,
  RELEASE_CHANNELS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import type { HttpResponse } from "../../http/response.ts";
import { createHttpService, type HttpService } from "../../http/create-http-service.ts";
import { latestOf } from "../../rules/release/catalog.ts";
import {
  API_ROUTES,
  createApiHandlers,
  createSmartDownloadHandlers,
  SMART_DOWNLOAD_ROUTES,
} from "../handlers.ts";
import type { PreparedResponses } from "../prepare-answers.ts";
import { createReleasePolicy } from "../service.ts";
import { chooseLimits, pageCount } from "./list-limits.ts";

/** Stands in recorded answers where each request has its own id. */
export const REQUEST_ID = "REQUEST-ID";

export interface ExportAddresses {
  readonly baseUrl: string;
  readonly smartDownloadUrl: string;
  readonly websiteDownloadUrl: string;
  readonly environment: string;
}

/** An answer that is a file of the tree. */
export interface StoredResponse {
  /** How the rules find it: `release/2.0.0`. */
  readonly key: string;
  readonly operationId: keyof typeof API_ROUTES;
  /** What a client of the live service asks for. */
  readonly target: string;
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Uint8Array;
}

export interface RecordedRedirect {
  readonly channel: ReleaseChannel;
  readonly platform: DistributionPlatform;
  readonly architecture: string;
  /** Whether it also answers the route without an architecture. */
  readonly isDefault: boolean;
  readonly target: string;
  readonly location: string;
}

export interface Recording {
  readonly addresses: ExportAddresses;
  readonly stored: readonly StoredResponse[];
  readonly redirects: readonly RecordedRedirect[];
  /** Whole answers of the API by name: error codes, and what has no file of its own. */
  readonly answers: Readonly<Record<string, HttpResponse>>;
  readonly limits: readonly number[];
  readonly totals: Readonly<Record<ReleaseChannel, number>>;
  /** Channels with nothing published. */
  readonly emptyChannels: readonly ReleaseChannel[];
}

export function recordResponses(
  releases: readonly Release[],
  prepared: PreparedResponses,
  addresses: ExportAddresses,
): Recording {
  const policy = { ...createReleasePolicy(addresses), createRequestId: () => REQUEST_ID };
  // The clock decides updates only, and those are not recorded.
  const settings = { ...addresses, answers: () => prepared, now: () => 0 };
  const api = createHttpService(API_ROUTES, createApiHandlers(settings), policy);
  const selector = createHttpService(
    SMART_DOWNLOAD_ROUTES,
    createSmartDownloadHandlers(addresses),
    policy,
  );
  const totals = countByChannel(releases);
  const limits = chooseLimits(Object.values(totals));
  const stored = listTargets(releases, prepared, totals, limits).map((entry) => record(api, entry));
  const redirects = recordRedirects(api, releases);
  return {
    addresses,
    stored,
    redirects,
    answers: {
      ...recordErrors(api),
      ...recordOthers(api, selector),
      ...recordUnchanged(api, stored),
      ...(redirects[0] !== undefined && { artifact: ask(api, redirects[0].target) }),
    },
    limits,
    totals,
    emptyChannels: RELEASE_CHANNELS.filter((channel) => totals[channel] === 0),
  };
}

type Entry = Pick<StoredResponse, "key" | "operationId" | "target" | "file">;

function listTargets(
  releases: readonly Release[],
  { manifest }: PreparedResponses,
  totals: Recording["totals"],
  limits: readonly number[],
): Entry[] {
  const entries: Entry[] = [];
  const add = (operationId: Entry["operationId"], key: string, target: string, file: string) =>
    entries.push({ operationId, key, target, file: `${file}.json` });
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
  }
  return entries;
}

function record(api: HttpService, entry: Entry): StoredResponse {
  const { status, headers, body } = ask(api, entry.target);
  const etag = headers["ETag"];
  if (status !== 200 || etag === undefined) {
    throw new Error(`The service has no answer to keep for ${entry.target} (${status})`);
  }
  return { ...entry, headers, etag, body: bytesOf(body) };
}

/** A prepared body; a stream could not be given twice. */
export function bytesOf(body: HttpResponse["body"]): Uint8Array {
  if (body instanceof ReadableStream) throw new Error("A streamed answer cannot be recorded");
  return typeof body === "string" ? Buffer.from(body) : (body ?? new Uint8Array());
}

function recordRedirects(api: HttpService, releases: readonly Release[]): RecordedRedirect[] {
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
        location: ask(api, target).headers["Location"] ?? "",
      });
    }
  }
  return [...found.values()];
}

/** Every error code, in the words and with the headers of the service. */
function recordErrors(api: HttpService): Record<string, HttpResponse> {
  return Object.fromEntries([
    ...RELEASE_ERROR_CODES.map((code) => [
      code,
      api.protocolErrorResponse({ kind: "invalid-parameter", name: "", code }),
    ]),
    ["too_long", api.protocolErrorResponse({ kind: "target-too-long" })],
  ]) as Record<string, HttpResponse>;
}

function recordOthers(api: HttpService, selector: HttpService): Record<string, HttpResponse> {
  return {
    health: ask(api, "/health"),
    preflight: ask(api, "/health", "OPTIONS"),
    legacy: ask(api, "/download"),
    selected: ask(selector, "/"),
    emptyPage: ask(api, `/api/v1/releases?page=${MAX_PAGE}`),
  };
}

/** What a client gets that has the answer already: `<operationId>-unchanged`, and the full headers. */
function recordUnchanged(
  api: HttpService,
  stored: readonly StoredResponse[],
): Record<string, HttpResponse> {
  const answers: Record<string, HttpResponse> = {};
  for (const { operationId, target } of stored) {
    if (operationId in answers) continue;
    answers[operationId] = { ...ask(api, target), body: null };
    answers[`${operationId}-unchanged`] = ask(api, target, "GET", { "if-none-match": "*" });
  }
  return answers;
}

function ask(
  service: HttpService,
  target: string,
  method = "GET",
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const answer = service.respond({
    method,
    target,
    header: (name) => headers[name] ?? null,
    remoteAddress: undefined,
    body: () => new Blob([]).stream(),
  });
  if (answer instanceof Promise) throw new Error(`The answer to ${target} did not come at once`);
  return answer;
}

function countByChannel(releases: readonly Release[]): Record<ReleaseChannel, number> {
  const counts = RELEASE_CHANNELS.map((channel) => [
    channel,
    releases.filter((release) => release.channel === channel).length,
  ]);
  return Object.fromEntries(counts) as Record<ReleaseChannel, number>;
}
