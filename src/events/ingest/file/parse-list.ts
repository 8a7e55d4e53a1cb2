/** JSON: `{"events": […]}` or the bare list. */
import type { FeedResult } from "../../../rules/events/ingest/entry.ts";
import type { EntryContext } from "../entry-context.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addFileEntry } from "./add-file-entry.ts";

export function parseList(text: string, context: EntryContext, builder: FeedBuilder): FeedResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: { code: "malformed", detail: "it is no JSON" } };
  }
  const elements = Array.isArray(value) ? value : memberOf(value, "events");
  if (!Array.isArray(elements)) {
    const detail = 'expected a list of events, or an object with a list "events"';
    return { ok: false, fault: { code: "malformed", detail } };
  }
  for (const [index, element] of elements.entries()) {
    if (!builder.readNext()) break;
    const place = { index, line: null };
    if (typeof element !== "object" || element === null || Array.isArray(element)) {
      builder.skip({ ...place, uid: null }, "bad-shape");
      continue;
    }
    const record = {
      id: memberOf(element, "id"),
      type: memberOf(element, "type"),
      subject_name: memberOf(element, "subject_name"),
      title: memberOf(element, "title"),
      date: memberOf(element, "date"),
      created_at: memberOf(element, "created_at"),
      deleted: memberOf(element, "deleted") === true,
    };
    if (!addFileEntry(record, place, context, builder)) break;
  }
  return builder.finish(null);
}

/** Own members only, null for those that are not there. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
  const member: unknown = Reflect.get(value, name);
  return member ?? null;
}
