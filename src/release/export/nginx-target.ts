/** How nginx reads a request the way the service does: its id, its path, its query. */
import {
  DEFAULT_CHANNEL,
  DEFAULT_PAGE_LIMIT,
  MAX_PAGE,
  MAX_PAGE_LIMIT,
  RELEASE_CHANNELS,
} from "../../contract/release/values.ts";
import { MAX_TARGET_BYTES } from "../../http/target.ts";
import { API_ROUTES } from "../handlers.ts";
import { mapBlock, quotePattern, quoteTemplate } from "./nginx-syntax.ts";
import {
  canonicalIntegerUpTo,
  ESCAPED_CHARACTER,
  ESCAPED_SLASH,
  NAMELESS_SEGMENT,
  queryPatterns,
  spelledAnyWay,
} from "./patterns.ts";

/** $request_id has 128 random bits; a UUID v4 fixes six of them (RFC 9562 5.4). */
export function requestIdMaps(): string[] {
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
export function targetMaps(): string[] {
  return [
    mapBlock("$request_uri", "trellis_raw", [
      [quotePattern("^(?<trellis_raw_path>[^?]*)"), "$trellis_raw_path"],
    ]),
    mapBlock("$trellis_raw", "trellis_path", [
      [quotePattern(NAMELESS_SEGMENT), '""'],
      [quotePattern(`^(?!(?:[^%]|${ESCAPED_CHARACTER})*\\z)`), '""'],
      // An escaped slash is no separator, so such a path is taken as it came.
      [quotePattern(ESCAPED_SLASH), "$trellis_raw"],
      ["default", "$uri"],
    ]),
    mapBlock("$trellis_path", "trellis_route", [...routeRows(), ["default", "none"]]),
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
    // A target that nginx itself cannot read never became a $request_uri.
    mapBlock('"$request_uri|$request"', "trellis_unreadable", [
      [quotePattern("^\\|[A-Z]+ \\S+ HTTP/1\\.[01]$"), "1"],
      ["default", "0"],
    ]),
  ];
}

function routeRows() {
  return (
    Object.values(API_ROUTES)
      // A literal path comes before a pattern that would also match it.
      .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")))
      .map(({ path, operationId }) => {
        const pattern = path.replaceAll(/\{(\w+)\}/g, "(?<trellis_$1>[^/]+)");
        return [quotePattern(`^${pattern}\\z`), operationId] as const;
      })
  );
}

export function queryMaps(): string[] {
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
