/** JSON: `{"events": […]}` or the bare list. */
import { isObject } from "../../../contract/is-object.ts";
import type { FeedResult } from "../../../rules/events/ingest/entry.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addFileEntry, readFileRecord } from "./file-entry.ts";

export function parseJsonFeed(text: string, builder: FeedBuilder): FeedResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("it is not JSON");
  }
  const elements = isObject(value) ? memberOf(value, "events") : value;
  if (!Array.isArray(elements)) {
    return malformed('expected a list of events, or an object with a list "events"');
  }
  for (const [index, element] of elements.entries()) {
    if (!builder.readNext()) break;
    const place = { index, line: null };
    if (!isObject(element)) {
      builder.skip({ ...place, uid: null }, "bad-shape");
      continue;
    }
    const record = readFileRecord(
      (name) => memberOf(element, name),
      memberOf(element, "deleted") === true,
    );
    if (!addFileEntry(record, place, builder)) break;
  }
  return builder.finish(null);
}

/** Own members only; null for absent ones. */
function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function malformed(detail: string): FeedResult {
  return { kind: "failed", error: { code: "malformed", detail } };
}
