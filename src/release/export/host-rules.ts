/** Hosts with `_headers` and `_redirects` merge overlapping rules: no two name the same header for a path. */
import { DEFAULT_CHANNEL, RELEASE_CHANNELS } from "../../contract/release/values.ts";
import { pathOf, tauriUpdateFiles, type StoredResponse } from "./feed-files.ts";
import type { Recording } from "./record-responses.ts";

export interface HeaderRule {
  /** A path in which `*` matches anything. */
  readonly pattern: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One rule for the headers that all responses share, then one for each class of paths and their files. */
export function headerRules({ stored, sharedHeaders }: Recording): HeaderRule[] {
  const rules = new Map<string, HeaderRule>();
  for (const response of stored) {
    const { "Content-Type": type = "", "Cache-Control": cache = "" } = response.headers;
    const headers = { "Content-Type": type, "Cache-Control": cache };
    for (const pattern of patternsOf(response)) rules.set(pattern, { pattern, headers });
  }
  return [{ pattern: "/*", headers: sharedHeaders }, ...rules.values()];
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
      return [path, file];
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
  const current = stored.filter(({ operationId }) => names.has(operationId));
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
    ...tauriUpdateFiles(stored).map(
      (file) => `${file.replace("index.json", ":version")} ${file} 200`,
    ),
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
