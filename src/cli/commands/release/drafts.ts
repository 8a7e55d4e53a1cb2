import { join } from "node:path";
import { DEFAULT_CHANNEL, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { createDraft } from "../../../release/publishing/create-draft.ts";
import { changeNotes, setNotes } from "../../../release/publishing/set-notes.ts";
import { appVersionOf } from "../../../rules/release/app-version.ts";
import { emptyNotes, hasNotes, NOTE_LISTS } from "../../../rules/release/changelog.ts";
import { defineCommand, option, flag, UsageError } from "../../command.ts";
import {
  parseAppVersion,
  parseChoice,
  parseCount,
  parseIfGiven,
  parseTimeOption,
  parseVersionOption,
  parseHttpsUrl,
} from "./parse-options.ts";
import {
  expectChanged,
  openCatalogContext,
  changeConfiguredCatalog,
  expectAllowed,
  readDraft,
} from "./catalog-context.ts";
import { NOTES_OPTIONS, readNotes } from "./read-notes.ts";
import { addMedia } from "../../../release/publishing/add-to-draft.ts";
import { formatFileSize, formatCount } from "../../format.ts";
import { showByteProgress } from "../../progress.ts";
import { discardDraft, planDiscard } from "../../../release/publishing/change-draft.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";

export const newDraftCommand = defineCommand({
  description: "Writes a draft file to edit. Clients do not see a draft before it is published.",
  arguments: { version: { description: "Three numbers, such as 2.1.0", required: true } },
  options: {
    build: option("N", "The build number, higher than that of every published release", {
      required: true,
    }),
    "app-version": option(
      "SEMVER",
      "The version that the app shows, any SemVer, such as 1.3.0-beta.3 (default: VERSION); its updater and the page use it",
    ),
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
    "trellis release new 1.2.90 --build 43 --channel beta --app-version 1.3.0-beta.3",
  ],
  async run(context) {
    const { options } = context;
    const version = parseVersionOption("VERSION", context.args.version);
    const appVersion = parseIfGiven("--app-version", options["app-version"], parseAppVersion);
    const draft = {
      version,
      appVersion,
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
      notes: changeNotes(emptyNotes(), await readNotes(context, appVersion ?? version)),
    };
    const catalog = await openCatalogContext(context);
    const { file, release } = expectChanged(await createDraft(catalog, draft), context);
    const path = join(catalog.folder, file);
    context.print(
      `Created the draft of release ${release.version} (build ${release.buildNumber})`,
      !hasNotes(release.notes) &&
        `Next: write the release notes in ${path}, or with \`trellis release notes ${version}\``,
      `Next: add the built files with \`trellis release add ${version} FILES… --url-base URL\``,
    );
    context.json({ file: path, release });
  },
});

export const notesCommand = defineCommand({
  description:
    "A changelog replaces the notes of the draft; single notes are added to them. Deprecated and removed features are listed under the changes, with that word before them. `trellis release show` prints the notes.",
  arguments: { version: { description: "The draft", required: true } },
  options: { ...NOTES_OPTIONS, clear: flag("Remove the existing notes first") },
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
    const draft = await readDraft(context, version);
    const heading = draft === undefined ? version : appVersionOf(draft);
    const { replacement, additions } = await readNotes(context, heading);
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

export const addMediaCommand = defineCommand({
  description:
    "The picture is AVIF, JPEG, PNG or WebP. Highlights of the release notes refer to it by its id.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The picture", required: true },
  },
  options: {
    id: option("ID", "The id that highlights refer to, such as dark-mode", { required: true }),
    url: option("URL", "The download address of this file", { required: true }),
  },
  async run(context) {
    const { args, options } = context;
    const request = {
      version: parseVersionOption("VERSION", args.version),
      path: args.file,
      id: options.id,
      url: parseHttpsUrl("--url", options.url),
    };
    const { media, change, warnings } = await changeConfiguredCatalog(context, (catalog) =>
      addMedia(catalog, request, showByteProgress(context, "Hashing")),
    );
    const done = change === "added" ? "Added" : "Replaced";
    context.print(
      `${done} the picture "${media.id}" (${media.mimeType}): ${formatFileSize(media.size)}`,
      "Next: set it as the mediaId of a highlight in the draft's presentation",
    );
    for (const warning of warnings) context.warn(`Warning: ${warning}`);
    context.json({ version: request.version, change, media, warnings });
  },
});

export const discardDraftCommand = defineCommand({
  description:
    "Deletes the draft's file in the catalogue; its version and build number are free again. A published release cannot be discarded: withdraw it.",
  arguments: { version: { description: "The draft", required: true } },
  options: PLAN_OPTIONS,
  async run(context) {
    const version = parseVersionOption("VERSION", context.args.version);
    const catalog = await openCatalogContext(context);
    const { draft: planned } = expectAllowed(await planDiscard(catalog, version));
    const { buildNumber, artifacts, notes } = planned;
    const noteCount = Object.values(notes).flat().length;
    await confirmPlan(context, {
      consequence: `This deletes the draft ${version} (build ${buildNumber}) with ${formatCount(artifacts.length, "artifact")} and ${formatCount(noteCount, "note")}`,
      details: ["The built files stay where they are"],
      plan: { version, buildNumber, artifacts: artifacts.length, notes: noteCount },
    });
    const draft = expectChanged(await discardDraft(catalog, version), context);
    context.print(`Deleted the draft ${version} (build ${draft.buildNumber})`);
    context.json({ discarded: draft });
  },
});
