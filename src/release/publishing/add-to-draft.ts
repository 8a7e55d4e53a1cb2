/** Adds artifacts and pictures to a draft. Parallel build jobs may do so at the same time. */
import { isDeepStrictEqual } from "node:util";
import type { CatalogFile, DraftRelease } from "../../contract/release/catalog.ts";
import type { ReleaseMedia } from "../../contract/release/schemas.ts";
import { warnAboutOwnFiles } from "../../rules/release/check-own-files.ts";
import { isForUpdaters } from "../../rules/release/file-kinds.ts";
import { fileNameOfUrl, toPublicFileName } from "../../rules/release/file-name.ts";
import {
  publishingError,
  readForChange,
  type CatalogContext,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";
import { changeDraft, findDraft, type EditedDraft } from "./change-draft.ts";
import { DIGESTS_ONLY, hashFile, type HashProgress } from "./hash-file.ts";
import type { PassphraseSource } from "./key-files.ts";
import {
  choosePublicName,
  prepareArtifact,
  type Artifact,
  type NewArtifact,
  type PreparedArtifact,
} from "./prepare-artifact.ts";

export interface AddedArtifact {
  readonly artifact: Artifact;
  readonly change: "added" | "replaced" | "unchanged";
  readonly warnings: readonly string[];
}

export async function addArtifact(
  context: CatalogContext,
  request: NewArtifact,
  onProgress?: HashProgress,
  /** A request to sign asks for the passphrase of the key. */
  askPassphrase: PassphraseSource = async () => undefined,
): Promise<ChangeResult<AddedArtifact>> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const known = findDraft(state.catalog, request.version);
  if (known.kind === "refused") return known;
  const { settings } = state.catalog;
  const prepared = await prepareNewArtifact(
    context,
    settings,
    known.draft,
    request,
    askPassphrase,
    onProgress,
  );
  if (prepared.kind === "refused") return prepared;
  return enterArtifacts(context, request.version, settings, (draft) => {
    const entered = enterArtifact(draft, prepared);
    if ("kind" in entered) return entered;
    const { artifact } = entered.result;
    const warnings = [
      ...entered.result.warnings,
      ...warnAboutOrder(entered.draft.artifacts, artifact),
      ...warnAboutOwnFiles(entered.draft, state.catalog),
    ];
    return { ...entered, result: { ...entered.result, warnings } };
  });
}

/** Reads the file; needs no lock. */
export async function prepareNewArtifact(
  ...[context, settings, draft, request, askPassphrase, onProgress]: Parameters<
    typeof prepareArtifact
  >
): ReturnType<typeof prepareArtifact> {
  return (
    checkDistribution(request) ??
    prepareArtifact(context, settings, draft, request, askPassphrase, onProgress)
  );
}

/** `settings` are those that the artifacts were prepared with: their signatures are of its keys. */
export function enterArtifacts<T>(
  context: CatalogContext,
  version: string,
  settings: CatalogFile,
  edit: (draft: DraftRelease) => EditedDraft<T> | PublishingError,
): Promise<ChangeResult<T>> {
  return changeDraft(context, version, (draft, catalog) =>
    isDeepStrictEqual(catalog.settings.updaterKeys, settings.updaterKeys)
      ? edit(draft)
      : publishingError("Another process changed the keys meanwhile: run the command again"),
  );
}

/** The draft with the artifact in it, in the place of the one of the same name. */
export function enterArtifact(
  draft: DraftRelease,
  prepared: PreparedArtifact,
): EditedDraft<AddedArtifact> | PublishingError {
  const { artifact, realName } = prepared;
  const before = draft.artifacts.findIndex((item) => isSameFile(item, artifact));
  const replaced = draft.artifacts[before];
  const conflict = replaced && checkSameName(replaced, artifact, realName);
  if (conflict !== undefined && conflict !== null) return conflict;
  const artifacts = [...draft.artifacts];
  if (before >= 0) artifacts.splice(before, 1);
  const index = before >= 0 ? before : artifacts.length;
  artifacts.splice(Math.min(index, indexBeforeLater(artifacts, artifact)), 0, artifact);
  const change =
    replaced === undefined
      ? "added"
      : isDeepStrictEqual(replaced, artifact)
        ? "unchanged"
        : "replaced";
  const warnings = [
    ...prepared.warnings,
    ...warnAboutUrl(artifact, realName),
    ...warnAboutSignatures(replaced, artifact),
  ];
  return { draft: { ...draft, artifacts }, result: { artifact, change, warnings } };
}

function checkDistribution({ platform, distribution }: NewArtifact): PublishingError | null {
  if (platform === "android" && distribution === undefined) {
    return publishingError(
      "An android artifact needs --distribution direct or --distribution play",
    );
  }
  return platform !== "android" && distribution !== undefined
    ? publishingError("Only android artifacts have a --distribution: leave it out")
    : null;
}

/** Two files whose real names differ must not meet in one public name: one would replace the other. */
function checkSameName(
  before: Artifact,
  { fileName, platform, architecture, url }: Artifact,
  realName: string,
): PublishingError | null {
  // Two entries with one address are one file, whatever its name was where it was built.
  if (before.url === url) return null;
  const nameBefore = fileNameOfUrl(before.url ?? "") || before.fileName;
  const isDerived = [nameBefore, realName].every((name) => toPublicFileName(name) === fileName);
  if (!isDerived || nameBefore === realName) return null;
  return publishingError(
    `"${realName}" and "${nameBefore}" would both be called "${fileName}" for ${platform} ${architecture}: give one of them another name with --file-name`,
  );
}

export interface NewMedia {
  readonly version: string;
  readonly path: string;
  readonly id: string;
  readonly url: string;
}

export interface AddedMedia {
  readonly media: ReleaseMedia;
  readonly change: "added" | "replaced";
  readonly warnings: readonly string[];
}

export async function addMedia(
  context: CatalogContext,
  request: NewMedia,
  onProgress?: HashProgress,
): Promise<ChangeResult<AddedMedia>> {
  const hashed = await hashFile(request.path, DIGESTS_ONLY, onProgress);
  if (hashed.kind === "refused") return hashed;
  const mimeType = detectMediaType(hashed.start);
  if (mimeType === null) {
    return publishingError(`"${request.path}" is not an AVIF, JPEG, PNG or WebP picture`);
  }
  const fileName = choosePublicName(hashed.name);
  if (typeof fileName !== "string") return fileName;
  const { sha256, size } = hashed;
  const media: ReleaseMedia = {
    id: request.id,
    fileName,
    mimeType,
    url: request.url,
    sha256,
    size,
  };
  return changeDraft(context, request.version, ({ artifacts, ...draft }) => {
    const list = [...(draft.media ?? [])];
    const before = list.findIndex(({ id }) => id === media.id);
    list.splice(before < 0 ? list.length : before, before < 0 ? 0 : 1, media);
    const change = before < 0 ? "added" : "replaced";
    return {
      draft: { ...draft, media: list, artifacts },
      result: { media, change, warnings: warnAboutUrl(media, hashed.name) },
    };
  });
}

/** Detects the type by the first bytes, because a file's ending proves nothing. */
export function detectMediaType(start: Uint8Array): ReleaseMedia["mimeType"] | null {
  const text = Buffer.from(start).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  // ISO 23000-22: an ISO media file whose brands name AV1 images.
  if (text.slice(4, 8) === "ftyp" && /avif|avis/.test(text.slice(8))) return "image/avif";
  return null;
}

function hasSameTarget(a: Artifact, b: Artifact): boolean {
  return a.platform === b.platform && a.architecture === b.architecture;
}

function isSameFile(a: Artifact, b: Artifact): boolean {
  return hasSameTarget(a, b) && a.fileName === b.fileName;
}

/** A download redirects to the first artifact: one for people is before updaters' and the store's. */
function indexBeforeLater(artifacts: readonly Artifact[], artifact: Artifact): number {
  const later = artifacts.findIndex(
    (item) => hasSameTarget(item, artifact) && rankOf(item) > rankOf(artifact),
  );
  return later < 0 ? artifacts.length : later;
}

function rankOf({ distribution, fileName }: Artifact): number {
  return distribution === "play" ? 2 : Number(isForUpdaters(fileName));
}

function warnAboutOrder(artifacts: readonly Artifact[], artifact: Artifact): string[] {
  const first = artifacts.find((item) => hasSameTarget(item, artifact));
  if (first === undefined || first === artifact || rankOf(artifact) > rankOf(first)) return [];
  return [
    `Downloads for ${artifact.platform} ${artifact.architecture} lead to the first artifact, "${first.fileName}": reorder them in the file if "${artifact.fileName}" should be it`,
  ];
}

/** An address that ends in another name than the file is often the address of another file. */
function warnAboutUrl(
  { fileName, url = "" }: { fileName: string; url?: string },
  realName: string,
): string[] {
  const last = fileNameOfUrl(url);
  if (last === fileName || last === realName) return [];
  return [
    `The address ends in "${last}", but the file is "${realName}": check that it leads to this file`,
  ];
}

/** A call says all about an artifact, so what it leaves out is removed. */
function warnAboutSignatures(before: Artifact | undefined, artifact: Artifact): string[] {
  return (["minisign", "sparkle"] as const)
    .filter((kind) => before?.signatures?.[kind] !== undefined && !artifact.signatures?.[kind])
    .map(
      (kind) =>
        `The draft had a signature for ${kind} of "${artifact.fileName}", which is removed: add the artifact again with ${SIGNATURE_OPTIONS[kind]} to have one`,
    );
}

const SIGNATURE_OPTIONS = {
  minisign: "--minisign or --signature-file",
  sparkle: "--sparkle or --ed-signature",
} as const;
