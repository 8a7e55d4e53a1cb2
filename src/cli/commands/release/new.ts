import { join } from "node:path";
import { DEFAULT_CHANNEL, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { createDraft } from "../../../release/publishing/create-draft.ts";
import { changeNotes } from "../../../release/publishing/set-notes.ts";
import { emptyNotes, hasNotes } from "../../../rules/release/changelog.ts";
import { defineCommand, option } from "../../command.ts";
import {
  parseChoice,
  parseCount,
  parseIfGiven,
  parseTimeOption,
  parseVersionOption,
} from "./parse-options.ts";
import { expectChanged, openCatalogContext } from "./catalog-context.ts";
import { NOTES_OPTIONS, readNotes } from "./read-notes.ts";

export const command = defineCommand({
  description:
    "Writes a draft file to edit. A draft is not visible to clients before it is published.",
  arguments: { version: { description: "Three numbers, such as 2.1.0", required: true } },
  options: {
    build: option("N", "The build number, higher than that of every published release", {
      required: true,
    }),
    channel: option("CHANNEL", "stable (default) or beta"),
    "minimum-supported": option(
      "VERSION",
      "The oldest version that is still supported (default: that of the previous release)",
    ),
    "mandatory-after": option(
      "TIME",
      "When the update becomes mandatory, such as 2026-01-31T12:00:00Z",
    ),
    ...NOTES_OPTIONS,
  },
  examples: [
    "trellis release new 2.1.0 --build 42",
    "trellis release new 2.1.0 --build 42 --notes-from CHANGELOG.md",
  ],
  async run(context) {
    const { options } = context;
    const version = parseVersionOption("VERSION", context.args.version);
    const draft = {
      version,
      buildNumber: parseCount("--build", options.build),
      channel: parseChoice("--channel", options.channel ?? DEFAULT_CHANNEL, RELEASE_CHANNELS),
      minimumSupportedVersion: parseIfGiven(
        "--minimum-supported",
        options["minimum-supported"],
        parseVersionOption,
      ),
      mandatoryAfter: parseIfGiven(
        "--mandatory-after",
        options["mandatory-after"],
        parseTimeOption,
      ),
      notes: changeNotes(emptyNotes(), await readNotes(context, version)),
    };
    const catalog = await openCatalogContext(context);
    const { file, release } = expectChanged(await createDraft(catalog, draft), context);
    const path = join(catalog.folder, file);
    context.print(
      `Created the draft of release ${release.version} (build ${release.buildNumber})`,
      !hasNotes(release.notes) &&
        `Next: write the release notes in ${path}, or with \`trellis release notes ${version}\``,
      `Next: add the built files with \`trellis release add-artifact ${version} FILE …\``,
    );
    context.json({ file: path, release });
  },
});
