import { basename } from "node:path";
import type { DraftRelease } from "../../../contract/release/catalog.ts";
import { ARTIFACT_PLATFORMS, DISTRIBUTIONS } from "../../../contract/release/values.ts";
import { addArtifact } from "../../../release/publishing/add-to-draft.ts";
import type { NewSignature } from "../../../release/publishing/prepare-artifact.ts";
import { removeArtifact } from "../../../release/publishing/remove-artifact.ts";
import { fileNameOfUrl } from "../../../rules/release/file-name.ts";
import { defineCommand, flag, option, UsageError, type Line } from "../../command.ts";
import { formatCount, formatFileSize } from "../../format.ts";
import { showByteProgress } from "../../progress.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { ARCHITECTURE_OPTION, chooseArchitecture } from "./choose-architecture.ts";
import {
  parseChoice,
  parseHttpsUrl,
  parseIfGiven,
  parseOsVersion,
  parseVersionOption,
} from "./parse-options.ts";
import { changeConfiguredCatalog } from "./catalog-context.ts";

export const addArtifactCommand = defineCommand({
  description:
    "Records the file's name, size, digests and download address. The file itself is not uploaded. Several build jobs may run this at the same time. With --minisign or --signature-file Tauri's updater can check the file, with --sparkle or --ed-signature Sparkle can: the signatures belong to the release's feeds.",
  arguments: {
    version: { description: "The draft", required: true },
    file: { description: "The built file", required: true },
  },
  options: {
    platform: option("PLATFORM", ARTIFACT_PLATFORMS.join(", "), { required: true }),
    architecture: option("ARCH", "Such as universal, x64 or arm64", { required: true }),
    ...ARCHITECTURE_OPTION,
    url: option("URL", "The download address of this file", { required: true }),
    distribution: option("KIND", "For android: direct, or play for the bundle of the Play store"),
    signed: flag("The file has the platform's code signature"),
    "file-name": option(
      "NAME",
      "The public file name (default: that of the file, with hyphens in place of characters that are not allowed)",
    ),
    "minimum-os": option("VERSION", "The oldest version of the platform, such as 12.0"),
    minisign: flag("Sign the file for Tauri with the catalogue's minisign key"),
    "signature-file": option("FILE", "The .sig file that Tauri's bundler wrote for this file"),
    sparkle: flag("Sign the file for Sparkle with the catalogue's sparkle key"),
    "ed-signature": option("BASE64", "What Sparkle's sign_update printed for this file"),
    ...PASSPHRASE_OPTION,
  },
  examples: [
    "trellis release add-artifact 2.1.0 build/habits-2.1.0.exe --platform windows --architecture x64 --url https://downloads.example.com/2.1.0/habits-2.1.0.exe --signed",
    'trellis release add-artifact 2.1.0 "dist/Habits_2.1.0_x64-setup.exe" --platform windows --architecture x64 --url https://downloads.example.com/2.1.0/Habits_2.1.0_x64-setup.exe --signature-file dist/Habits_2.1.0_x64-setup.exe.sig',
  ],
  async run(context) {
    const { args, options } = context;
    const request = {
      version: parseVersionOption("VERSION", args.version),
      path: args.file,
      platform: parseChoice("--platform", options.platform, ARTIFACT_PLATFORMS),
      url: parseHttpsUrl("--url", options.url),
      distribution: parseIfGiven("--distribution", options.distribution, (name, text) =>
        parseChoice(name, text, DISTRIBUTIONS),
      ),
      signed: options.signed,
      fileName: options["file-name"],
      minimumOs: parseIfGiven("--minimum-os", options["minimum-os"], parseOsVersion),
      minisign: parseSignature("--minisign", options.minisign, {
        name: "--signature-file",
        value: options["signature-file"],
      }),
      sparkle: parseSignature("--sparkle", options.sparkle, {
        name: "--ed-signature",
        value: options["ed-signature"],
      }),
      // The architecture is chosen last, because this may ask the person.
      architecture: await chooseArchitecture(context),
    };
    const { artifact, change, warnings } = await changeConfiguredCatalog(
      context,
      (catalog, askPassphrase) =>
        addArtifact(catalog, request, showByteProgress(context, "Hashing"), askPassphrase),
    );
    const done = { added: "Added", replaced: "Replaced", unchanged: "Unchanged:" }[change];
    context.print(
      `${done} ${artifact.fileName} (${artifact.platform} ${artifact.architecture}) in release ${request.version}: ${formatFileSize(artifact.size ?? 0)}`,
      ...describeArtifact(artifact),
    );
    for (const warning of warnings) context.warn(`Warning: ${warning}`);
    context.json({ version: request.version, change, artifact, warnings });
  },
});

/** A signature is made here, or given, or there is none. */
function parseSignature(
  signName: string,
  isSigned: boolean,
  given: { readonly name: string; readonly value: string | undefined },
): NewSignature | undefined {
  if (isSigned && given.value !== undefined) {
    throw new UsageError(
      `${signName} makes a signature and ${given.name} gives one: use one of the two`,
    );
  }
  if (given.value === "") throw new UsageError(`${given.name} must not be empty`);
  if (given.value !== undefined) return { kind: "given", value: given.value };
  return isSigned ? { kind: "sign" } : undefined;
}

function describeArtifact(artifact: DraftRelease["artifacts"][number]): Line[] {
  const realName = fileNameOfUrl(artifact.url ?? "");
  const { signatures = {} } = artifact;
  return [
    `SHA-256 ${artifact.sha256}`,
    realName !== artifact.fileName &&
      `Public file name ${artifact.fileName}; the address keeps ${realName}`,
    signatures.minisign !== undefined && "Has a minisign signature, for Tauri",
    signatures.sparkle !== undefined && "Has an Ed25519 signature, for Sparkle",
  ];
}

export const removeArtifactCommand = defineCommand({
  description:
    "The options must match exactly one artifact. The file itself is not deleted; `add-artifact` adds it again.",
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
        "Name the artifact: its FILE, or --platform, --architecture or --distribution",
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
