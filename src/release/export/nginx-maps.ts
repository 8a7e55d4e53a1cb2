/** The rules for nginx that stand in `http`: everything that is decided, from request to answer. */
import { varyingHeaders, type NamedResponses } from "./nginx-headers.ts";
import { selectorResponses, selectorMaps } from "./nginx-selector.ts";
import { DOLLAR, HEADING, mapBlock, type MapRows } from "./nginx-syntax.ts";
import { queryMaps, requestIdMaps, targetMaps } from "./nginx-target.ts";
import { bodyRows, emptyPageTemplate, storedMaps, resultMaps } from "./nginx-verdict.ts";
import type { Recording } from "./record-responses.ts";

export function nginxMaps(recording: Recording, hasUpstream: boolean): string {
  const { answers, totals } = recording;
  const smart = selectorResponses(answers);
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
    ...targetMaps(),
    ...queryMaps(),
    ...storedMaps(recording),
    ...resultMaps(recording, hasUpstream),
    mapBlock("$trellis_channel", "trellis_total", totalRows),
    mapBlock("$trellis_verdict", "trellis_action", [...actionRows(answers), ["live", "live"]]),
    mapBlock("$trellis_verdict", "trellis_body", [
      ...bodyRows(answers).filter(([verdict]) => verdict !== "emptyPage"),
      ["emptyPage", emptyPageTemplate(recording)],
    ]),
    mapBlock("$trellis_verdict", "trellis_sent_etag", etagRows(recording)),
    ...headerMaps(answers, "trellis_verdict", "trellis"),
    ...selectorMaps(recording.addresses),
    mapBlock("$trellis_smart", "trellis_smart_action", actionRows(smart)),
    mapBlock("$trellis_smart", "trellis_smart_body", bodyRows(smart)),
    ...headerMaps(smart, "trellis_smart", "trellis_smart"),
    "",
  ].join("\n");
}

/** A tree of many releases outgrows nginx's default tables. */
function hashSizes({ stored }: Recording): string[] {
  const longest = stored.reduce((length, { key }) => Math.max(length, key.length), 64);
  const powerOfTwo = (least: number) => 2 ** Math.ceil(Math.log2(least));
  return [
    `map_hash_max_size ${powerOfTwo(Math.max(2048, stored.length * 2))};`,
    `map_hash_bucket_size ${powerOfTwo(longest + 32)};`,
  ];
}

function headerMaps(answers: NamedResponses, source: string, prefix: string): string[] {
  return varyingHeaders(answers, prefix).map(({ variable, rows }) =>
    mapBlock(`$${source}`, variable, rows),
  );
}

function etagRows({ stored }: Recording): MapRows {
  const operations = [...new Set(stored.map(({ operationId }) => operationId))];
  return operations.flatMap((name) => [
    [name, "$trellis_etag"] as const,
    [`${name}-unchanged`, "$trellis_etag"] as const,
  ]);
}

/** What the location does: give a file, say that it is unchanged, or send the status. */
function actionRows(answers: NamedResponses): MapRows {
  return Object.entries(answers).map(([verdict, { status, body }]) => {
    if (status === 304) return [verdict, "unchanged"] as const;
    return [verdict, status === 200 && body === null ? "file" : String(status)] as const;
  });
}
