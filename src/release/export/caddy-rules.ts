/** The rules for Caddy (2.8 or later): snippets to import into the site of the API. */
import {
  DEFAULT_CHANNEL,
  DEFAULT_PAGE_LIMIT,
  DISTRIBUTION_PLATFORMS,
  MAX_PAGE,
  MAX_PAGE_LIMIT,
  RELEASE_CHANNELS,
} from "../../contract/release/values.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { feedRoutes } from "./caddy-feeds.ts";
import { block, handle, importFileSnippet, respondLines, snippet } from "./caddy-syntax.ts";
import { headerRules } from "./host-rules.ts";
import { TREE_FOLDER } from "./nginx-servers.ts";
import { canonicalIntegerUpTo, queryPatterns, routesToMatch, spelledAnyWay } from "./patterns.ts";
import type { Recording } from "./record-responses.ts";

export function caddyRules(recording: Recording, upstream: string | null): string {
  return [
    "# Written by `trellis release export`. The next export replaces it: change nothing here.",
    "# Import this file, then write `import trellis_api` in the site of the API.",
    "",
    ...snippet("trellis_file", fileLines()),
    ...snippet("trellis_api", [
      `root * "${TREE_FOLDER}/public"`,
      "header -Last-Modified",
      ...block("route", [
        ...sharedHeaders(recording),
        ...maps(recording),
        ...routes(recording, upstream),
      ]),
    ]),
  ].join("\n");
}

/** Arguments: the file, its Content-Type, its Cache-Control. Falls through when there is no such file. */
function fileLines(): string[] {
  return block("route", [
    "@exists file {args[0]}",
    ...block("handle @exists", [
      "header Content-Type {args[1]}",
      "header Cache-Control {args[2]}",
      "rewrite {args[0]}",
      ...block("file_server", ["etag_file_extensions .etag"]),
    ]),
  ]);
}

function sharedHeaders(recording: Recording): string[] {
  const [shared] = headerRules(recording);
  return [
    ...Object.entries(shared?.headers ?? {}).map(([name, value]) => `header ${name} "${value}"`),
    "header X-Request-Id {http.request.uuid}",
  ];
}

function maps({ redirects, feeds }: Recording): string[] {
  const channel = queryPatterns("channel");
  const integer = (name: string, maximum: number, fallback: number) => {
    const query = queryPatterns(name);
    return block(`map {http.request.uri.query} {trellis_${name}}`, [
      `"~${query.repeated}" invalid`,
      `"~${query.valued(`(${canonicalIntegerUpTo(maximum)})`)}" \${1}`,
      `"~${query.present}" invalid`,
      `default ${fallback}`,
    ]);
  };
  return [
    // Caddy cleans a path before it compares it, so the raw target decides.
    ...block("map {http.request.orig_uri} {trellis_route} {trellis_name}", [
      ...routeRows(feeds),
      'default none ""',
    ]),
    ...block("map {http.request.uri.query} {trellis_channel}", [
      `"~${channel.repeated}" invalid`,
      ...RELEASE_CHANNELS.map((name) => `"~${channel.valued(spelledAnyWay(name))}" ${name}`),
      `"~${channel.present}" invalid`,
      `default ${DEFAULT_CHANNEL}`,
    ]),
    ...integer("page", MAX_PAGE, 1),
    ...integer("limit", MAX_PAGE_LIMIT, DEFAULT_PAGE_LIMIT),
    ...block("map {trellis_channel} {trellis_variant}", [
      `${DEFAULT_CHANNEL} index`,
      ...RELEASE_CHANNELS.filter((name) => name !== DEFAULT_CHANNEL).map(
        (name) => `${name} ${name}`,
      ),
      'default ""',
    ]),
    ...block('map "{trellis_limit}/{trellis_page}" {trellis_first}', [
      `${DEFAULT_PAGE_LIMIT}/1 first`,
      'default ""',
    ]),
    ...block('map "{trellis_channel} {trellis_name}" {trellis_artifact}', [
      ...redirects.flatMap((redirect) => {
        const exact = `${redirect.platform}/${encodeURIComponent(redirect.architecture)}`;
        const names = redirect.isDefault ? [redirect.platform, exact] : [exact];
        return names.map((name) => `"${redirect.channel} ${name}" "${redirect.location}"`);
      }),
      'default ""',
    ]),
  ];
}

/** `trellis_name` is the part of the path with the parameters. */
function routeRows(feeds: FeedSettings): string[] {
  return routesToMatch(feeds).map(({ path, operationId }) => {
    const pattern = path
      .replaceAll(".", "\\.")
      .replace(/\{.*\}/, (names) => `(${names.replaceAll(/\{\w+\}/g, "[^/?]+")})`);
    return `"~^${pattern}(?:\\?.*)?$" ${operationId} ${path.includes("{") ? "${1}" : '""'}`;
  });
}

function routes(recording: Recording, upstream: string | null): string[] {
  const { responses, addresses, emptyChannels } = recording;
  const respond = (name: string, matcher = "") => respondLines(recording, name, matcher);
  const file = (operationId: string, path: string) =>
    importFileSnippet(recording, operationId, path);
  const when = (matcher: string, name: string) => [matcher, ...respond(name, matcher)];
  const invalidChannel = when("@channel vars {trellis_channel} invalid", "invalid_channel");
  const live = upstream === null ? null : [`reverse_proxy ${upstream}`];
  const legacy = responses["legacy"]?.headers["Cache-Control"] ?? "";
  const artifact = responses["artifact"]?.headers["Cache-Control"] ?? "";
  return [
    ...when("@unknown vars {trellis_route} none", "not_found"),
    "@preflight method OPTIONS",
    ...preflightLines(recording),
    ...when("@other not method GET HEAD", "not_found"),
    ...handle("getHealth", respond("health")),
    ...handle("redirectLegacyDownload", [
      `header Cache-Control "${legacy}"`,
      '@query not vars {http.request.uri.query} ""',
      `redir @query ${addresses.smartDownloadUrl}/?{http.request.uri.query} 308`,
      `redir ${addresses.smartDownloadUrl}/ 308`,
    ]),
    ...handle("getSignedManifest", [
      ...file("getSignedManifest", "/api/v1/manifest/index.json"),
      ...respond("manifest_unavailable"),
    ]),
    ...handle("getLatestRelease", [
      ...invalidChannel,
      ...file("getLatestRelease", "/api/v1/releases/latest/{trellis_variant}.json"),
      ...respond("release_not_found"),
    ]),
    ...handle("listReleases", [
      ...when("@page vars {trellis_page} invalid", "invalid_pagination"),
      ...when("@limit vars {trellis_limit} invalid", "invalid_pagination"),
      ...invalidChannel,
      "@first vars {trellis_first} first",
      ...block("route @first", file("listReleases", "/api/v1/releases/{trellis_variant}.json")),
      ...file(
        "listReleases",
        "/api/v1/releases/pages/{trellis_channel}/{trellis_limit}/{trellis_page}.json",
      ),
      ...(live ?? respond("not_found")),
    ]),
    ...handle("getRelease", [
      ...file("getRelease", "/api/v1/releases/{trellis_name}/index.json"),
      ...respond("release_not_found"),
    ]),
    ...handle("getReleaseDownloads", [
      ...file("getReleaseDownloads", "/api/v1/releases/{trellis_name}/downloads/index.json"),
      ...respond("release_not_found"),
    ]),
    ...handle("checkForUpdate", live ?? respond("not_found")),
    ...handle("downloadForDefaultArchitecture downloadForArchitecture", [
      ...when(
        `@platform not vars_regexp {trellis_name} ^(?:${DISTRIBUTION_PLATFORMS.join("|")})(?:/|$)`,
        "platform_not_supported",
      ),
      ...invalidChannel,
      ...emptyChannels.flatMap((channel) =>
        when(`@${channel} vars {trellis_channel} ${channel}`, "release_not_found"),
      ),
      ...when('@missing vars {trellis_artifact} ""', "artifact_not_found"),
      `header Cache-Control "${artifact}"`,
      "redir {trellis_artifact} 302",
    ]),
    ...feedRoutes(recording),
  ];
}

function preflightLines({ responses }: Recording): string[] {
  const lines = Object.entries(responses["preflight"]?.headers ?? {})
    .filter(([name]) => name.startsWith("Access-Control-") || name === "Cache-Control")
    .map(([name, value]) => `header @preflight ${name} "${value}"`);
  return [...lines, "respond @preflight 204"];
}
