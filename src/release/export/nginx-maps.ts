/** The nginx rules for `http`: maps from the request to the name of its response. */
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import {
  DEFAULT_CHANNEL,
  DEFAULT_PAGE_LIMIT,
  MAX_PAGE,
  MAX_PAGE_LIMIT,
  RELEASE_CHANNELS,
} from "../../contract/release/values.ts";
import { MAX_TARGET_BYTES } from "../../contract/route.ts";
import { feedMaps } from "./nginx-feeds.ts";
import { bodyRows, decisionMaps, emptyPageTemplate, storedMaps } from "./nginx-decision.ts";
import { selectorMaps, selectorResponses } from "./nginx-selector.ts";
import {
  DOLLAR,
  fileAction,
  HEADING,
  isFile,
  mapBlock,
  otherTypes,
  quotePattern,
  quoteTemplate,
  varyingHeaders,
  type MapRows,
  type NamedResponses,
} from "./nginx-syntax.ts";
import {
  canonicalIntegerUpTo,
  ESCAPED_CHARACTER,
  ESCAPED_SLASH,
  NAMELESS_SEGMENT,
  queryPatterns,
  routesToMatch,
  spelledAnyWay,
} from "./patterns.ts";
import type { Recording } from "./record-responses.ts";

export function nginxMaps(recording: Recording, hasUpstream: boolean): string {
  const { responses, totals } = recording;
  const smart = selectorResponses(responses);
  const totalRows = Object.entries(totals).map(
    ([channel, total]) => [channel, String(total)] as const,
  );
  return [
    HEADING,
    "# Include it once, inside http { }.",
    "",
    ...hashSizes(recording),
    `geo $${DOLLAR} {\n  default "$";\n}`,
    ...requestIdMaps(),
    ...targetMaps(recording),
    ...queryMaps(),
    ...storedMaps(recording),
    ...feedMaps(recording),
    ...decisionMaps(recording, hasUpstream),
    mapBlock("$trellis_channel", "trellis_total", totalRows),
    mapBlock("$trellis_response", "trellis_action", [...actionRows(responses), ["live", "live"]]),
    mapBlock("$trellis_response", "trellis_body", [
      ...bodyRows(responses).filter(([name]) => name !== "emptyPage"),
      ["emptyPage", emptyPageTemplate(recording)],
    ]),
    mapBlock("$trellis_response", "trellis_sent_etag", etagRows(recording)),
    mapBlock("$trellis_response", "trellis_sent_encoding", encodingRows(recording)),
    ...headerMaps(responses, "trellis_response", "trellis"),
    ...selectorMaps(recording.addresses),
    mapBlock("$trellis_smart", "trellis_smart_action", actionRows(smart)),
    mapBlock("$trellis_smart", "trellis_smart_body", bodyRows(smart)),
    ...headerMaps(smart, "trellis_smart", "trellis_smart"),
    "",
  ].join("\n");
}

/** A tree of many releases outgrows nginx's default tables, and so do the variables of the rules. */
function hashSizes({ stored }: Recording): string[] {
  const longest = stored.reduce((length, { key }) => Math.max(length, key.length), 64);
  const powerOfTwo = (least: number) => 2 ** Math.ceil(Math.log2(least));
  return [
    `map_hash_max_size ${powerOfTwo(Math.max(2048, stored.length * 2))};`,
    `map_hash_bucket_size ${powerOfTwo(longest + 32)};`,
    "variables_hash_max_size 2048;",
    "variables_hash_bucket_size 128;",
  ];
}

function headerMaps(responses: NamedResponses, source: string, prefix: string): string[] {
  return varyingHeaders(responses, prefix).map(({ variable, rows }) =>
    mapBlock(`$${source}`, variable, rows),
  );
}

function storedOperations({ stored }: Recording): string[] {
  return [...new Set(stored.map(({ operationId }) => operationId))];
}

function etagRows(recording: Recording): MapRows {
  return storedOperations(recording).flatMap((name) => [
    [name, "$trellis_etag"] as const,
    [`${name}-unchanged`, "$trellis_known"] as const,
  ]);
}

/** A 304 has no content that could be encoded. */
function encodingRows(recording: Recording): MapRows {
  return storedOperations(recording).map((name) => [name, "$trellis_encoding"] as const);
}

/** What the location does: send a file, respond 304, or send the status. */
function actionRows(responses: NamedResponses): MapRows {
  const types = otherTypes(responses);
  return Object.entries(responses).map(([name, response]) => {
    if (response.status === 304) return [name, "unchanged"] as const;
    if (!isFile(response)) return [name, String(response.status)] as const;
    return [name, fileAction(types, response.headers["Content-Type"])] as const;
  });
}

/** $request_id has 128 random bits; a UUID v4 fixes six of them (RFC 9562 5.4). */
function requestIdMaps(): string[] {
  const parts = [8, 4, 3, 3, 12].map((length, index) => `(?<trellis_id${index}>.{${length}})`);
  const [first, second, third, fourth, fifth] = parts;
  return [
    mapBlock("$request_id", "trellis_variant", [
      [quotePattern("^.{16}[048c]"), "8"],
      [quotePattern("^.{16}[159d]"), "9"],
      [quotePattern("^.{16}[26ae]"), "a"],
      ["default", "b"],
    ]),
    mapBlock("$request_id", "trellis_request_id", [
      [
        quotePattern(`^${first}${second}.${third}.${fourth}${fifth}$`),
        quoteTemplate(
          "$trellis_id0-$trellis_id1-4$trellis_id2-$trellis_variant$trellis_id3-$trellis_id4",
        ),
      ],
    ]),
  ];
}

/** nginx resolves dot segments and merges slashes; the service does not, so the raw target decides. */
function targetMaps({ feeds }: Recording): string[] {
  return [
    mapBlock("$request_uri", "trellis_raw", [
      [quotePattern("^(?<trellis_raw_path>[^?]*)"), "$trellis_raw_path"],
    ]),
    // $is_args is empty for an empty query, which is a query, too.
    mapBlock("$request_uri", "trellis_search", [
      [quotePattern("^[^?]*(?<trellis_raw_search>\\?.*)$"), "$trellis_raw_search"],
    ]),
    mapBlock("$trellis_raw", "trellis_path", [
      [quotePattern(NAMELESS_SEGMENT), '""'],
      [quotePattern(`^(?!(?:[^%]|${ESCAPED_CHARACTER})*\\z)`), '""'],
      // An escaped slash is no separator, so such a path is taken as it came.
      [quotePattern(ESCAPED_SLASH), "$trellis_raw"],
      ["default", "$uri"],
    ]),
    mapBlock("$trellis_path", "trellis_route", [...routeRows(feeds), ["default", "none"]]),
    // The keys of a map are compared without case, patterns with it.
    mapBlock("$request_method", "trellis_method", [
      [quotePattern("^(?:GET|HEAD)$"), "read"],
      [quotePattern("^OPTIONS$"), "options"],
      ["default", "other"],
    ]),
    mapBlock("$request_uri", "trellis_length", [
      [quotePattern(`^.{${MAX_TARGET_BYTES + 1}}`), "long"],
      ["default", "fine"],
    ]),
  ];
}

function routeRows(feeds: FeedSettings) {
  return routesToMatch(feeds).map(({ path, operationId }) => {
    // The parameters of feeds have names that other variables have.
    const prefix = path.startsWith("/feeds/") ? "trellis_feed" : "trellis";
    const pattern = path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, `(?<${prefix}_$1>[^/]+)`);
    return [quotePattern(`^${pattern}\\z`), operationId] as const;
  });
}

function queryMaps(): string[] {
  const channel = queryPatterns("channel");
  return [
    mapBlock("$args", "trellis_channel", [
      [quotePattern(channel.repeated), "invalid"],
      ...RELEASE_CHANNELS.map(
        (name) => [quotePattern(channel.valued(spelledAnyWay(name))), name] as const,
      ),
      [quotePattern(channel.present), "invalid"],
      ["default", DEFAULT_CHANNEL],
    ]),
    integerMap("page", 1, MAX_PAGE),
    integerMap("limit", DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT),
  ];
}

function integerMap(name: string, fallback: number, maximum: number): string {
  const query = queryPatterns(name);
  const value = `(?<trellis_${name}_value>${canonicalIntegerUpTo(maximum)})`;
  return mapBlock("$args", `trellis_${name}`, [
    [quotePattern(query.repeated), "invalid"],
    [quotePattern(query.valued(value)), `$trellis_${name}_value`],
    [quotePattern(query.present), "invalid"],
    ["default", String(fallback)],
  ]);
}
