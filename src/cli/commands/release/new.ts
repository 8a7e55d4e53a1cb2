import { join } from "node:path";
import { DEFAULT_CHANNEL, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { createDraft } from "../../../release/publishing/create-draft.ts";
import { defineCommand } from "../../command.ts";
import { readChoice, readCount, readIfGiven, readTime, readVersion } from "./read-options.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const newCommand = defineCommand({
  summary: "Begin a release as a draft",
  description: "Writes a draft to edit. Nobody sees it before it is published.",
  arguments: { version: { description: "Three numbers, such as 2.1.0", required: true } },
  options: {
    build: {
      type: "string",
      value: "N",
      required: true,
      description: "The build number, higher than that of every published release",
    },
    channel: { type: "string", value: "CHANNEL", description: "stable (default) or beta" },
    "minimum-supported": {
      type: "string",
      value: "VERSION",
      description: "The oldest version that still works (default: as in the release before)",
    },
    "mandatory-after": {
      type: "string",
      value: "TIME",
      description: "When updating stops being a choice, such as 2026-01-31T12:00:00Z",
    },
  },
  examples: ["trellis release new 2.1.0 --build 42"],
  async run(context) {
    const { options } = context;
    const draft = {
      version: readVersion("VERSION", context.args.version),
      buildNumber: readCount("--build", options.build),
      channel: readChoice("--channel", options.channel ?? DEFAULT_CHANNEL, RELEASE_CHANNELS),
      minimumSupportedVersion: readIfGiven(
        "--minimum-supported",
        options["minimum-supported"],
        readVersion,
      ),
      mandatoryAfter: readIfGiven("--mandatory-after", options["mandatory-after"], readTime),
    };
    const bench = await openCatalogContext(context);
    const { file, release } = resultOf(await createDraft(bench, draft), context);
    const path = join(bench.folder, file);
    context.print(`Began release ${release.version} (build ${release.buildNumber}) as a draft`);
    context.print(`Next: write its notes in ${path}`);
    context.print(
      `      add what was built with \`trellis release add-artifact ${release.version} FILE …\``,
    );
    context.json({ file: path, release });
  },
});
