import { basename } from "node:path";
import { ARTIFACT_PLATFORMS, DISTRIBUTIONS } from "../../../contract/release/values.ts";
import { removeArtifact } from "../../../release/publishing/remove-artifact.ts";
import { defineCommand, option, UsageError } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";
import { parseChoice, parseIfGiven, parseVersionOption } from "./parse-options.ts";

export const command = defineCommand({
  description:
    "What is given must match one artifact alone. The file itself stays where it is. `add-artifact` adds it again.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The artifact's file name, or the path of the built file" },
  },
  options: {
    platform: option("PLATFORM", ARTIFACT_PLATFORMS.join(", ")),
    architecture: option("ARCH", "Such as universal or x64"),
    distribution: option("KIND", "For android: direct or play"),
  },
  examples: [
    "trellis release remove-artifact 2.1.0 habits-2.1.0.exe",
    "trellis release remove-artifact 2.1.0 --platform android --distribution play",
  ],
  async run(context) {
    const { args, options } = context;
    const version = parseVersionOption("VERSION", args.version);
    const selector = {
      fileName: args.file === undefined ? undefined : basename(args.file),
      platform: parseIfGiven("--platform", options.platform, (name, text) =>
        parseChoice(name, text, ARTIFACT_PLATFORMS),
      ),
      architecture: options.architecture,
      distribution: parseIfGiven("--distribution", options.distribution, (name, text) =>
        parseChoice(name, text, DISTRIBUTIONS),
      ),
    };
    if (Object.values(selector).every((value) => value === undefined)) {
      throw new UsageError(
        "Say which artifact: its FILE, or --platform, --architecture or --distribution",
      );
    }
    const { artifact, remaining } = await changeConfiguredCatalog(context, (catalog) =>
      removeArtifact(catalog, version, selector),
    );
    context.print(
      `Removed ${artifact.fileName} (${artifact.platform} ${artifact.architecture}) from release ${version}`,
      `The draft has ${formatCount(remaining, "artifact")}`,
    );
    context.json({ version, artifact, remaining });
  },
});
