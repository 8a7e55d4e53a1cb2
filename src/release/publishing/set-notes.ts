/** Writes the release notes of a draft. */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { ReleaseNotes } from "../../contract/release/schemas.ts";
import { hasNotes, type NoteList } from "../../rules/release/changelog.ts";
import type { CatalogContext, ChangeResult } from "./change-catalog.ts";
import { changeDraft } from "./change-draft.ts";

export interface NotesChange {
  /** These notes take the place of those of the draft. */
  readonly replacement?: ReleaseNotes | undefined;
  /** These notes are added behind the others. */
  readonly additions: readonly { readonly list: NoteList; readonly text: string }[];
}

export function changeNotes(before: ReleaseNotes, change: NotesChange): ReleaseNotes {
  const notes = structuredClone(change.replacement ?? before);
  for (const { list, text } of change.additions) notes[list].push(text);
  return notes;
}

/** Whether a release has no notes for people. */
export function isSilent({ notes, presentation }: SourceRelease): boolean {
  return !hasNotes(notes) && presentation === undefined;
}

export async function setNotes(
  context: CatalogContext,
  version: string,
  change: NotesChange,
): Promise<ChangeResult<ReleaseNotes>> {
  return changeDraft(context, version, (draft) => {
    const notes = changeNotes(draft.notes, change);
    return { draft: { ...draft, notes }, result: notes };
  });
}
