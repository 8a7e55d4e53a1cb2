import { ARTIFACT_PLATFORMS, DISTRIBUTIONS } from "../../../contract/release/values.ts";
import { addArtifact } from "../../../release/publishing/add-to-draft.ts";
import { defineCommand, flag, option, UsageError } from "../../command.ts";
import { formatFileSize } from "../../format.ts";
import { showProgress } from "../../progress.ts";
import { parseChoice, parseHttpsUrl, parseIfGiven, parseVersionOption } from "./parse-options.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const addArtifactCommand = defineCommand({
  description:
    "Records the file's name, size, SHA-256 and download address. The file itself is not uploaded. Several build jobs may run this at the same time.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The built file", required: true },
  },
  options: {
    platform: option("PLATFORM", ARTIFACT_PLATFORMS.join(", "), { required: true }),
    architecture: option("ARCH", "Such as universal or x64", { required: true }),
    url: option("URL", "The download address of this file", { required: true }),
    distribution: option("KIND", "For android: direct, or play for the bundle of the Play store"),
    signed: flag("The file has the platform's code signature"),
  },
  examples: [
    "trellis release add-artifact 2.1.0 build/habits-2.1.0.exe --platform windows --architecture x64 --url https://downloads.example.com/2.1.0/habits-2.1.0.exe --signed",
  ],
  async run(context) {
    const { args, options } = context;
    if (options.architecture === "") throw new UsageError("--architecture must not be empty");
    const request = {
      version: parseVersionOption("VERSION", args.version),
      path: args.file,
      platform: parseChoice("--platform", options.platform, ARTIFACT_PLATFORMS),
      architecture: options.architecture,
      url: parseHttpsUrl("--url", options.url),
      distribution: parseIfGiven("--distribution", options.distribution, (name, text) =>
        parseChoice(name, text, DISTRIBUTIONS),
      ),
      signed: options.signed,
    };
    const { artifact, change, warnings } = await changeConfiguredCatalog(context, (catalog) =>
      addArtifact(catalog, request, showProgress(context, "Hashing")),
    );
    const done = {
      added: "Added",
      replaced: "Replaced",
      unchanged: "Unchanged:",
    }[change];
    context.print(
      `${done} ${artifact.fileName} (${artifact.platform} ${artifact.architecture}) in release ${request.version}: ${formatFileSize(artifact.size ?? 0)}`,
      `SHA-256 ${artifact.sha256}`,
    );
    for (const warning of warnings) context.warn(`Warning: ${warning}`);
    context.json({ version: request.version, change, artifact, warnings });
  },
});
