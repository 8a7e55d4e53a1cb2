/** What a change of an event is: something that a person sees of it. */
import type { ParsedEntry } from "./entry.ts";

export type EntryContent = Pick<ParsedEntry, "type" | "subjectName" | "title" | "date">;

export function isSameContent(one: EntryContent, other: EntryContent): boolean {
  return (
    one.type === other.type &&
    one.subjectName === other.subjectName &&
    one.title === other.title &&
    one.date === other.date
  );
}
