/** Chooses responses by `map` blocks (lazy, once per request, no nested `if`s), in the service's order. */
import {
  DEFAULT_PAGE_LIMIT,
  DISTRIBUTION_PLATFORMS,
  MAX_PAGE,
  MAX_PAGE_LIMIT,
} from "../../contract/release/values.ts";
import { encodingMaps } from "./nginx-encodings.ts";
import { FEED_RESPONSES, feedKeys } from "./nginx-feeds.ts";
import {
  mapBlock,
  quote,
  quotePattern,
  quoteTemplate,
  type MapRows,
  type NamedResponses,
} from "./nginx-syntax.ts";
import { escapePattern } from "./patterns.ts";
import { bytesOf, REQUEST_ID, type Recording, type RecordedRedirect } from "./record-responses.ts";

/** Files of the tree, their validators, and whether the client's validator matches. */
export function storedMaps(recording: Recording): string[] {
  const { stored } = recording;
  const list = "list/$trellis_channel/$trellis_limit/$trellis_page";
  return [
    mapBlock("$trellis_route", "trellis_key", [
      ["getSignedManifest", "manifest"],
      ["getLatestRelease", quoteTemplate("latest/$trellis_channel")],
      ["listReleases", quoteTemplate(list)],
      ["getRelease", quoteTemplate("release/$trellis_version")],
      ["getReleaseDownloads", quoteTemplate("downloads/$trellis_version")],
      ...feedKeys(recording),
    ]),
    mapBlock(
      "$trellis_key",
      "trellis_file",
      stored.map(({ key, file }) => [key, file] as const),
    ),
    ...encodingMaps(stored),
    // Weak comparison of one tag, a list or `*` (RFC 9110 13.1.2) with the validators of all forms, the chosen one first.
    mapBlock('"$trellis_etag $trellis_etags|$http_if_none_match"', "trellis_known", [
      [quotePattern('^"[^|]*\\|[ \\t]*\\*[ \\t]*$'), "$trellis_etag"],
      [
        quotePattern(
          '^(?:\\S+ )*?(?<trellis_same>"[^" ]+")[^|]*\\|(?:(?:"[^"]*"|[^,"])*,)*[ \\t]*(?:W/)?\\k<trellis_same>[ \\t]*(?:,|$)',
        ),
        "$trellis_same",
      ],
    ]),
    mapBlock("$trellis_known", "trellis_kept", [
      ['""', "$trellis_route"],
      ["default", quoteTemplate("$trellis_route-unchanged")],
    ]),
  ];
}

export function decisionMaps(recording: Recording, hasUpstream: boolean): string[] {
  return [
    mapBlock("$trellis_limit", "trellis_missing_page", missingPages(recording, hasUpstream)),
    mapBlock("$trellis_route", "trellis_missing", [
      ["getSignedManifest", "manifest_unavailable"],
      ["listReleases", "$trellis_missing_page"],
      ["default", "release_not_found"],
    ]),
    mapBlock("$trellis_etag", "trellis_stored", [
      ['""', "$trellis_missing"],
      ["default", "$trellis_kept"],
    ]),
    mapBlock("$trellis_channel", "trellis_latest", [
      ["invalid", "invalid_channel"],
      ["default", "$trellis_stored"],
    ]),
    mapBlock('"$trellis_page $trellis_limit $trellis_channel"', "trellis_list", [
      [quotePattern("^(?:invalid|[0-9]+ invalid) "), "invalid_pagination"],
      [quotePattern(" invalid$"), "invalid_channel"],
      ["default", "$trellis_stored"],
    ]),
    ...downloadMaps(recording),
    mapBlock('"$trellis_length $trellis_method $trellis_route"', "trellis_response", [
      [quotePattern("^long "), "not_found"],
      [quotePattern(" none$"), "not_found"],
      [quotePattern(" other "), "not_found"],
      [quotePattern(" options "), "preflight"],
      [quotePattern(" getHealth$"), "health"],
      [quotePattern(" redirectLegacyDownload$"), "legacy"],
      [quotePattern(" getLatestRelease$"), "$trellis_latest"],
      [quotePattern(" listReleases$"), "$trellis_list"],
      // An update decision depends on the client's version and on the clock.
      [quotePattern(" checkForUpdate$"), hasUpstream ? "live" : "not_found"],
      [quotePattern(" downloadFor"), "$trellis_download"],
      ...FEED_RESPONSES,
      ["default", "$trellis_stored"],
    ]),
  ];
}

/** A page without a file is past the end if pages of its size were exported; else it is unknown. */
function missingPages({ limits }: Recording, hasUpstream: boolean): MapRows {
  if (hasUpstream) return [["default", "live"]];
  if (limits.length === MAX_PAGE_LIMIT) return [["default", "emptyPage"]];
  return [
    ...limits.map((limit) => [String(limit), "emptyPage"] as const),
    ["default", "not_found"],
  ];
}

function downloadMaps({ redirects, emptyChannels }: Recording): string[] {
  const platforms = DISTRIBUTION_PLATFORMS.join("|");
  return [
    mapBlock('"$trellis_channel $trellis_path"', "trellis_artifact", redirects.map(redirectRow)),
    mapBlock("$trellis_artifact", "trellis_found", [
      ['""', "artifact_not_found"],
      ["default", "artifact"],
    ]),
    mapBlock('"$trellis_platform|$trellis_channel"', "trellis_download", [
      [quotePattern(`^(?!(?:${platforms})\\|)`), "platform_not_supported"],
      [quotePattern("\\|invalid$"), "invalid_channel"],
      ...emptyChannels.map(
        (channel) => [quotePattern(`\\|${channel}$`), "release_not_found"] as const,
      ),
      ["default", "$trellis_found"],
    ]),
  ];
}

function redirectRow({ channel, platform, architecture, isDefault, location }: RecordedRedirect) {
  // $trellis_path is decoded unless a segment has a slash in it.
  const segment = architecture.includes("/") ? encodeURIComponent(architecture) : architecture;
  const last = `/${escapePattern(segment)}`;
  const pattern = `^${channel} /api/v1/download/${platform}${isDefault ? `(?:${last})?` : last}\\z`;
  return [quotePattern(pattern), quote(location)] as const;
}

/** Bodies without a file, with the id of the request in them. */
export function bodyRows(responses: NamedResponses): MapRows {
  return Object.entries(responses).flatMap(([name, { body }]) => {
    const text = Buffer.from(bytesOf(body)).toString("utf8");
    return text === ""
      ? []
      : [[name, quote(text).replaceAll(REQUEST_ID, "${trellis_request_id}")] as const];
  });
}

/** A page after the last one: only its numbers differ. */
export function emptyPageTemplate({ responses, totals }: Recording): string {
  const body = Buffer.from(bytesOf(responses["emptyPage"]?.body ?? null)).toString("utf8");
  const members = { page: MAX_PAGE, limit: DEFAULT_PAGE_LIMIT, total: totals.stable };
  let template = quote(body);
  for (const [name, value] of Object.entries(members)) {
    template = template.replace(`\\"${name}\\":${value}`, `\\"${name}\\":\${trellis_${name}}`);
  }
  return template;
}
