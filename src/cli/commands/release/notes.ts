import { setNotes } from "../../../release/publishing/set-notes.ts";
import { emptyNotes, NOTE_LISTS } from "../../../rules/release/changelog.ts";
import { defineCommand, flag, UsageError } from "../../command.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";
import { parseVersionOption } from "./parse-options.ts";
import { NOTES_OPTIONS, readNotes } from "./read-notes.ts";

export const command = defineCommand({
  description:
    "A changelog replaces the notes of the draft, single notes are added to them. Deprecated and removed things are among the changes, with that word before them. `trellis release show` prints the notes.",
  arguments: { version: { description: "The draft", required: true } },
  options: { ...NOTES_OPTIONS, clear: flag("Remove the notes there are first") },
  examples: [
    "trellis release notes 2.1.0 --notes-from CHANGELOG.md",
    'trellis release notes 2.1.0 --note added="Weekly overview" --note fixed="Reminders near midnight"',
  ],
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const { clear, note, "notes-from": path } = context.options;
    if (!clear && note.length === 0 && path === undefined) {
      throw new UsageError('Give the notes with --notes-from FILE or --note added="…", or --clear');
    }
    const { replacement, additions } = await readNotes(context, version);
    const change = { replacement: replacement ?? (clear ? emptyNotes() : undefined), additions };
    const notes = await changeConfiguredCatalog(context, (catalog) =>
      setNotes(catalog, version, change),
    );
    context.print(
      `The notes of ${version}: ${NOTE_LISTS.map((list) => `${notes[list].length} ${list}`).join(", ")}`,
    );
    context.json({ version, notes });
  },
});
