import { ARTIFACT_PLATFORMS, DISTRIBUTIONS } from "../../../contract/release/values.ts";
import { addArtifact } from "../../../release/publishing/add-to-draft.ts";
import { defineCommand, UsageError } from "../../command.ts";
import { showProgress } from "../../progress.ts";
import { readChoice, readHttps, readIfGiven, readVersion } from "./read-options.ts";
import { openCatalogContext, resultOf } from "./workbench.ts";

export const addArtifactCommand = defineCommand({
  summary: "Enter a built file in a draft",
  description:
    "Records the file's name, size and SHA-256 and where it will be downloaded from. The file itself is not uploaded. Build jobs may run it at the same time.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The built file", required: true },
  },
  options: {
    platform: {
      type: "string",
      value: "PLATFORM",
      required: true,
      description: ARTIFACT_PLATFORMS.join(", "),
    },
    architecture: {
      type: "string",
      value: "ARCH",
      required: true,
      description: "Such as universal or x64",
    },
    url: {
      type: "string",
      value: "URL",
      required: true,
      description: "Where people download this very file",
    },
    distribution: {
      type: "string",
      value: "KIND",
      description: "For android: direct, or play for the store's bundle",
    },
    signed: { type: "boolean", description: "The platform's code signature is on the file" },
  },
  examples: [
    "trellis release add-artifact 2.1.0 build/habits-2.1.0.exe --platform windows --architecture x64 --url https://downloads.example.com/2.1.0/habits-2.1.0.exe --signed",
  ],
  async run(context) {
    const { args, options } = context;
    if (options.architecture === "") throw new UsageError("--architecture must not be empty");
    const wanted = {
      version: readVersion("VERSION", args.version),
      path: args.file,
      platform: readChoice("--platform", options.platform, ARTIFACT_PLATFORMS),
      architecture: options.architecture,
      url: readHttps("--url", options.url),
      distribution: readIfGiven("--distribution", options.distribution, (name, text) =>
        readChoice(name, text, DISTRIBUTIONS),
      ),
      signed: options.signed,
    };
    const bench = await openCatalogContext(context);
    const progress = showProgress(context, "Hashing");
    const added = resultOf(await addArtifact(bench, wanted, progress), context);
    const { artifact, change, warnings } = added;
    const done = {
      added: "Added",
      replaced: "Replaced the earlier file of this name with",
      unchanged: "Already there and the same:",
    }[change];
    context.print(
      `${done} ${artifact.fileName} (${artifact.platform} ${artifact.architecture}, ${artifact.size} bytes) in release ${wanted.version}`,
    );
    context.print(`SHA-256 ${artifact.sha256}`);
    for (const warning of warnings) context.warn(`Warning: ${warning}`);
    context.json({ version: wanted.version, change, artifact, warnings });
  },
});
