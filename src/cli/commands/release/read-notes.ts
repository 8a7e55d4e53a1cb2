/** Release notes on the command line: from a changelog, and one by one. */
import { readFile } from "node:fs/promises";
import type { ReleaseNotes } from "../../../contract/release/schemas.ts";
import type { NotesChange } from "../../../release/publishing/set-notes.ts";
import { NOTE_LISTS, readChangelogNotes, type LeftOut } from "../../../rules/release/changelog.ts";
import {
  CommandError,
  option,
  UsageError,
  type CommandContext,
  type ValuesOf,
} from "../../command.ts";
import { formatCount } from "../../format.ts";

export const NOTES_OPTIONS = {
  "notes-from": option(
    "FILE",
    "Take the notes from the version's section of a changelog (Keep a Changelog)",
  ),
  note: option("LIST=TEXT", `Add a note; LIST is ${NOTE_LISTS.join(", ")}`, { multiple: true }),
} as const;

export async function readNotes(
  context: Pick<CommandContext, "warn"> & { readonly options: ValuesOf<typeof NOTES_OPTIONS> },
  version: string,
): Promise<NotesChange> {
  // A mistyped option is reported before a file is read.
  const additions = context.options.note.map(parseNote);
  const path = context.options["notes-from"];
  const replacement = path === undefined ? undefined : await readChangelog(context, path, version);
  return { replacement, additions };
}

function parseNote(given: string): NotesChange["additions"][number] {
  const at = given.indexOf("=");
  const list = NOTE_LISTS.find((name) => name === given.slice(0, Math.max(at, 0)).trim());
  const text = given.slice(at + 1).trim();
  if (list === undefined || text === "") {
    throw new UsageError(
      `--note must be LIST=TEXT such as added="Weekly overview", where LIST is one of ${NOTE_LISTS.join(", ")}, not "${given}"`,
    );
  }
  return { list, text };
}

async function readChangelog(
  { warn }: Pick<CommandContext, "warn">,
  path: string,
  version: string,
): Promise<ReleaseNotes> {
  const result = readChangelogNotes(await readText(path), version);
  switch (result.kind) {
    case "no-section":
      throw new CommandError(
        result.versions.length === 0
          ? `"${path}" has no sections such as "## [${version}]": the notes of each version need a heading of their own`
          : `"${path}" has no section for ${version}: add "## [${version}]"; it has ${listed(result.versions)}`,
      );
    case "empty-section":
      throw new CommandError(`The section ${version} of "${path}" is empty: write the notes there`);
    case "no-notes":
      throw new CommandError([
        `No notes for ${version} were found in "${path}": put them below a known heading (### Added, Changed, Deprecated, Removed, Fixed or Security)`,
        ...describeLeftOut(result).map((line) => `  ${line}`),
      ]);
    case "found":
      for (const heading of result.unknownSections) {
        warn(
          `Warning: The section "${heading}" of ${version} was left out: known are Added, Changed, Deprecated, Removed, Fixed and Security`,
        );
      }
      if (result.looseLines.length > 0) {
        warn(
          `Warning: ${formatCount(result.looseLines.length, "line")} of ${version} left out, above the first section such as "### Added"`,
        );
      }
      return result.notes;
  }
}

function describeLeftOut({ unknownSections, looseLines }: LeftOut): string[] {
  const more = looseLines.length - MAX_LISTED;
  return [
    ...looseLines.slice(0, MAX_LISTED).map((line) => `The line "${line}" is below no heading`),
    ...(more > 0
      ? [`${formatCount(more, "more line")} ${more === 1 ? "is" : "are"} below no heading`]
      : []),
    ...unknownSections.map((heading) => `The heading "### ${heading}" is not known`),
  ];
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === "ENOENT" ? `There is no file "${path}"` : `Cannot read "${path}": ${message}`,
    );
  }
}

const MAX_LISTED = 5;

function listed(versions: readonly string[]): string {
  const more = versions.length > MAX_LISTED ? ", …" : "";
  return versions.slice(0, MAX_LISTED).join(", ") + more;
}
