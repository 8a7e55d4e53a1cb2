/** Hosts with `_headers` and `_redirects` merge overlapping rules: no two name the same header for a path. */
import { DEFAULT_CHANNEL, RELEASE_CHANNELS } from "../../contract/release/values.ts";
import { tauriUpdateFiles, type StoredResponse } from "./feed-files.ts";
import type { Recording } from "./record-responses.ts";

export interface HeaderRule {
  /** A path in which `*` matches anything. */
  readonly pattern: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One rule for the headers that all responses share, then one for each class of paths and their files. */
export function headerRules({ stored, responses }: Recording): HeaderRule[] {
  const shared = Object.entries(responses["not_found"]?.headers ?? {}).filter(
    ([name]) => !["Content-Type", "Content-Length", "Cache-Control", "X-Request-Id"].includes(name),
  );
  const rules = new Map<string, HeaderRule>();
  for (const response of stored) {
    const { "Content-Type": type = "", "Cache-Control": cache = "" } = response.headers;
    const headers = { "Content-Type": type, "Cache-Control": cache };
    for (const pattern of patternsOf(response)) rules.set(pattern, { pattern, headers });
  }
  return [{ pattern: "/*", headers: Object.fromEntries(shared) }, ...rules.values()];
}

function patternsOf({ operationId, target, file }: StoredResponse): string[] {
  const path = pathOf(target);
  switch (operationId) {
    case "getRelease":
    case "getReleaseDownloads":
    case "getReleaseFiles":
      // The pattern names the major version, so that it does not match `latest`.
      return [path.replace(/^(.*\/\d+\.).*$/, "$1*")];
    case "listReleases":
      return file.startsWith(`${path}/pages/`) ? [`${path}/pages/*`] : [path, file];
    case "getTauriUpdate":
    case "getTauriBundleUpdate":
      // The addresses of a machine begin those of its installations, so a channel has one rule.
      return [file.replace(/^(\/feeds\/tauri\/\w+\/).*$/, "$1*")];
    case "getElectronFeed":
    case "getTauriFeed":
    case "getAppcast":
    case "getSquirrelMacFeed":
      return [file];
    default:
      return [`${path}*`];
  }
}

function pathOf(target: string): string {
  return target.split("?")[0] ?? target;
}

export const HOST_HEADING = "# Written by `trellis release export`. The next export replaces it.";

export function headersFile(rules: readonly HeaderRule[]): string {
  const blocks = rules.map(({ pattern, headers }) =>
    [pattern, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join("\n"),
  );
  return [HOST_HEADING, ...blocks, ""].join("\n");
}

/** Paths to files, and the redirects. Lines with `channel=` are for hosts that support queries. */
export function redirectsFile({ addresses, redirects, stored }: Recording): string {
  const names = new Set(["getSignedManifest", "getLatestRelease", "listReleases"]);
  const lines: string[] = [];
  const isFirstPage = ({ operationId, file }: StoredResponse) =>
    operationId !== "listReleases" || !file.includes("/pages/");
  const current = stored.filter(
    (response) => names.has(response.operationId) && isFirstPage(response),
  );
  // A host takes the first matching line, so the more specific ones come first.
  for (const channel of RELEASE_CHANNELS.toReversed()) {
    const query = channel === DEFAULT_CHANNEL ? "" : ` channel=${channel}`;
    for (const { file, target } of current) {
      const isOfChannel =
        target.includes(`channel=${channel}`) || (query === "" && !target.includes("?"));
      if (isOfChannel) lines.push(`${pathOf(target)}${query} ${file} 200`);
    }
    for (const redirect of redirects.filter((each) => each.channel === channel)) {
      for (const path of pathsOf(redirect.platform, redirect.architecture, redirect.isDefault)) {
        lines.push(`${path}${query} ${redirect.location} 302`);
      }
    }
  }
  return [
    HOST_HEADING,
    ...lines,
    // A static host cannot compare versions, and Tauri compares them itself.
    ...tauriUpdateFiles(stored).map(({ path, file }) => `${path}/:version ${file} 200`),
    "/api/v1/releases/:version/downloads /api/v1/releases/:version/downloads/index.json 200",
    "/api/v1/releases/:version /api/v1/releases/:version/index.json 200",
    "/feeds/files/:version /feeds/files/:version/index.json 200",
    "/feeds/archive/:digest /feeds/archive/:digest/index.json 200",
    `/download ${addresses.smartDownloadUrl}/ 308`,
    "",
  ].join("\n");
}

function pathsOf(platform: string, architecture: string, isDefault: boolean): string[] {
  const path = `/api/v1/download/${platform}`;
  const exact = `${path}/${encodeURIComponent(architecture)}`;
  return isDefault ? [path, exact] : [exact];
}
