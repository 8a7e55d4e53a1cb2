/**
 * The form of a response by nginx, as the service chooses it. The module `gzip_static` would choose without
 * brotli, without weights, and without a validator for each form.
 */
import { CONTENT_CODINGS, type ContentCoding } from "../../http/content-encoding.ts";
import { mapBlock, quote, quotePattern, quoteTemplate, type MapRows } from "./nginx-syntax.ts";
import type { StoredResponse } from "./feed-files.ts";

/** As the modules of nginx and other web servers look for them beside the plain file. */
export const ENCODED_SUFFIXES: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz" };

/** `$trellis_encoding` and `$trellis_suffix` are empty, and `$trellis_etag` that of the plain form, without one. */
export function encodingMaps(stored: readonly StoredResponse[]): string[] {
  const weights = [...CONTENT_CODINGS, "identity"].map((name) => `$trellis_weight_${name}`);
  return [
    ...[...CONTENT_CODINGS, "identity"].map(weightMap),
    mapBlock(`"${weights.join(" ")}"`, "trellis_wanted", [
      [quotePattern(`^${NOT_REFUSED}(?!${lessThanNext(1)})(?!${lessThanNext(2, 1)})`), "br"],
      [quotePattern(`^\\d{4} ${NOT_REFUSED}(?!${lessThanNext(1)})`), "gzip"],
      ["default", '""'],
    ]),
    // The validators of the plain form, of brotli and of gzip; a short response has the first alone.
    mapBlock(
      "$trellis_key",
      "trellis_etags",
      stored.map(({ key, etag, encoded }) => {
        const etags = [etag, ...encoded.map((form) => form.etag)];
        return [key, quote(etags.join(" "))] as const;
      }),
    ),
    mapBlock('"$trellis_wanted $trellis_etags"', "trellis_encoding", [
      ...CONTENT_CODINGS.map((name) => [quotePattern(`^${name} \\S+ \\S+ \\S+$`), name] as const),
      ["default", '""'],
    ]),
    mapBlock("$trellis_encoding", "trellis_suffix", Object.entries(ENCODED_SUFFIXES)),
    mapBlock('"$trellis_encoding $trellis_etags"', "trellis_etag", [
      [quotePattern("^br \\S+ (?<trellis_etag_br>\\S+)"), "$trellis_etag_br"],
      [quotePattern("^gzip \\S+ \\S+ (?<trellis_etag_gzip>\\S+)"), "$trellis_etag_gzip"],
      [quotePattern("^ (?<trellis_etag_plain>\\S+)"), "$trellis_etag_plain"],
    ]),
  ];
}

const NOT_REFUSED = "(?!0000)";

/** A weight as four digits, thousandths, so that patterns can compare it (RFC 9110 12.4.2). */
function weightMap(name: string): string {
  const variable = `trellis_${name}_digits`;
  // What is named counts before `*`.
  const rows = [name, "\\*"].flatMap((value): MapRows => {
    const given = `(?i)^(?:.*,)?[ \\t]*${value}[ \\t]*`;
    const weighted = (weight: string) => quotePattern(`${given};[ \\t]*q=${weight}[ \\t]*(?:,|$)`);
    return [
      ...[1, 2, 3].map((count): MapRows[number] => [
        weighted(`0\\.(?<${variable}>\\d{${count}})`),
        quoteTemplate(`0\${${variable}}${"0".repeat(3 - count)}`),
      ]),
      [weighted("0\\.?"), "0000"],
      [quotePattern(`${given}(?:[;,]|$)`), "1000"],
    ];
  });
  return mapBlock("$http_accept_encoding", `trellis_weight_${name}`, [
    ...rows,
    ["default", "0000"],
  ]);
}

/** The weight here is less than the next one, or than one after it: the first digit that differs is. */
function lessThanNext(group: number, skipped = 0): string {
  const between = `\\d*${" \\d{4}".repeat(skipped)} `;
  const digits = Array.from({ length: 9 }, (_, digit) => digit);
  const less = digits.map((digit) => `${digit}${between}\\${group}[${digit + 1}-9]`);
  return `(\\d*)(?:${less.join("|")})`;
}
