/**
 * The redo journal of a catalogue change: the complete new contents of every file it touches. Its
 * rename into place is the moment at which the change happened; from then on readers lay it over
 * the files, and the next writer finishes what a killed one began.
 */
import Type, { type Static } from "typebox";
import { createChecker } from "../../contract/check.ts";
import { isCatalogFile } from "./files.ts";

export const Journal = Type.Object(
  {
    schemaVersion: Type.Literal(1),
    files: Type.Array(
      Type.Object({ file: Type.String(), content: Type.String() }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);
export type Journal = Static<typeof Journal>;

const journalChecker = createChecker(Journal);

/** Null when the text is no journal, or one that would write outside the catalogue. */
export function parseJournal(text: string): Journal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return journalChecker.is(value) && value.files.every(({ file }) => isCatalogFile(file))
    ? value
    : null;
}

export function formatJournal(journal: Journal): string {
  return JSON.stringify(journal);
}
