/** Reads a built file once, and makes of it what a draft says about it. Needs no lock. */
import type { CatalogFile, DraftRelease } from "../../contract/release/catalog.ts";
import type { ArtifactPlatform, Distribution } from "../../contract/release/values.ts";
import { isPublicFileName, toPublicFileName } from "../../rules/release/file-name.ts";
import { publishingError, type CatalogContext, type PublishingError } from "./change-catalog.ts";
import { hashFile, type HashedFile, type HashProgress } from "./hash-file.ts";
import { identifyFile, type IdentifiedFile } from "./identify/identify-file.ts";
import type { PassphraseSource } from "./key-files.ts";
import {
  planMinisign,
  planMinisignFile,
  planSparkle,
  planSparkleSignature,
  type SignaturePlan,
} from "./plan-signatures.ts";

export interface NewArtifact {
  readonly version: string;
  /** The built file on this machine. */
  readonly path: string;
  readonly platform: ArtifactPlatform;
  readonly architecture: string;
  readonly url: string;
  readonly distribution?: Distribution | undefined;
  readonly signed: boolean;
  /** Absent: derived from the name of the file. */
  readonly fileName?: string | undefined;
  readonly minimumOs?: string | undefined;
  readonly minisign?: NewSignature | undefined;
  readonly sparkle?: NewSignature | undefined;
}

/** `given` is the path of a .sig file for minisign, and the signature itself for Sparkle. */
export type NewSignature =
  | { readonly kind: "sign" }
  | { readonly kind: "given"; readonly value: string };

export type Artifact = DraftRelease["artifacts"][number];

export interface PreparedArtifact {
  readonly kind: "prepared";
  readonly artifact: Artifact;
  /** The name of the file on this machine. */
  readonly realName: string;
  readonly warnings: readonly string[];
}

export async function prepareArtifact(
  context: CatalogContext,
  settings: CatalogFile,
  draft: DraftRelease,
  request: NewArtifact,
  askPassphrase: PassphraseSource,
  onProgress?: HashProgress,
): Promise<PreparedArtifact | PublishingError> {
  const existing = draft.artifacts.flatMap(({ signatures }) => signatures?.minisign ?? []);
  const minisign =
    request.minisign?.kind === "given"
      ? await planMinisignFile(settings, request.minisign.value)
      : request.minisign && (await planMinisign(context, settings, existing, askPassphrase));
  if (minisign?.kind === "refused") return minisign;
  const sparkle =
    request.sparkle?.kind === "given"
      ? planSparkleSignature(settings, request.sparkle.value)
      : request.sparkle && (await planSparkle(context, settings, askPassphrase));
  if (sparkle?.kind === "refused") return sparkle;
  const needs = [minisign?.needs, sparkle?.needs];
  const hashed = await hashFile(
    request.path,
    {
      blake2b512: needs.some((need) => need?.blake2b512),
      content: needs.some((need) => need?.content),
    },
    onProgress,
  );
  if (hashed.kind === "refused") return hashed;
  const fileName = choosePublicName(hashed.name, request.fileName);
  if (typeof fileName !== "string") return fileName;
  const identified = await identifyFile(request.path, hashed.name);
  return describeArtifact(request, hashed, fileName, identified, { minisign, sparkle });
}

export function choosePublicName(name: string, given?: string): string | PublishingError {
  if (given !== undefined) {
    return isPublicFileName(given)
      ? given
      : publishingError(
          `"${given}" cannot be a public file name: use letters, digits, dots, hyphens and underscores, at least two, beginning with a letter or digit`,
        );
  }
  return (
    toPublicFileName(name) ??
    publishingError(
      `"${name}" has too few letters and digits for a public file name: rename the file, or name an artifact with --file-name`,
    )
  );
}

function describeArtifact(
  request: NewArtifact,
  file: HashedFile,
  fileName: string,
  { blockMapSize, detected }: IdentifiedFile,
  plans: Readonly<Record<"minisign" | "sparkle", SignaturePlan | undefined>>,
): PreparedArtifact | PublishingError {
  const signatures: { minisign?: string; sparkle?: string } = {};
  const warnings: string[] = [];
  for (const kind of ["minisign", "sparkle"] as const) {
    const result = plans[kind]?.complete(file);
    if (result === undefined) continue;
    if (result.kind === "refused") return result;
    signatures[kind] = result.signature;
    warnings.push(...result.warnings);
  }
  const { platform, architecture, distribution, minimumOs } = request;
  const artifact: Artifact = {
    platform,
    architecture,
    fileName,
    signed: request.signed,
    ...(distribution !== undefined && { distribution }),
    url: request.url,
    sha256: file.sha256,
    size: file.size,
    sha512: file.sha512,
    ...(Object.keys(signatures).length > 0 && { signatures }),
    ...(blockMapSize !== undefined && { blockMapSize }),
    ...(detected !== undefined && { detected }),
    ...(minimumOs !== undefined && { minimumOs }),
  };
  return { kind: "prepared", artifact, realName: file.name, warnings };
}
