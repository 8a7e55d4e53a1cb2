/** Adds artifacts and pictures to a draft. Parallel build jobs may do so at the same time. */
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { ReleaseMedia } from "../../contract/release/schemas.ts";
import type { ArtifactPlatform, Distribution } from "../../contract/release/values.ts";
import { publishingError, type CatalogContext, type ChangeResult } from "./change-catalog.ts";
import { changeDraft } from "./change-draft.ts";
import { hashFile, type HashProgress } from "./hash-file.ts";

export interface NewArtifact {
  readonly version: string;
  /** The built file on this machine. */
  readonly path: string;
  readonly platform: ArtifactPlatform;
  readonly architecture: string;
  readonly url: string;
  readonly distribution?: Distribution | undefined;
  readonly signed: boolean;
}

export interface AddedArtifact {
  readonly artifact: Artifact;
  readonly change: "added" | "replaced" | "unchanged";
  readonly warnings: readonly string[];
}

type Artifact = DraftRelease["artifacts"][number];

export async function addArtifact(
  context: CatalogContext,
  request: NewArtifact,
  onProgress?: HashProgress,
): Promise<ChangeResult<AddedArtifact>> {
  const { platform, architecture, distribution } = request;
  if (platform === "android" && distribution === undefined) {
    return publishingError(
      "An android artifact needs --distribution direct or --distribution play",
    );
  }
  if (platform !== "android" && distribution !== undefined) {
    return publishingError("Only android artifacts have a --distribution: leave it out");
  }
  // Hashing is slow and needs no lock.
  const hashed = await hashFile(request.path, onProgress);
  if (hashed.kind === "refused") return hashed;
  const artifact: Artifact = {
    platform,
    architecture,
    fileName: hashed.fileName,
    signed: request.signed,
    ...(distribution !== undefined && { distribution }),
    url: request.url,
    sha256: hashed.sha256,
    size: hashed.size,
  };
  return changeDraft(context, request.version, (draft) => {
    const before = draft.artifacts.findIndex((item) => isSameFile(item, artifact));
    const artifacts = [...draft.artifacts];
    if (before >= 0) artifacts.splice(before, 1);
    const index = before >= 0 ? before : artifacts.length;
    artifacts.splice(Math.min(index, indexBeforeStore(artifacts, artifact)), 0, artifact);
    const replaced = draft.artifacts[before];
    const change =
      replaced === undefined ? "added" : sameValues(replaced, artifact) ? "unchanged" : "replaced";
    const warnings = [...warnAboutUrl(artifact), ...warnAboutOrder(artifacts, artifact)];
    return { draft: { ...draft, artifacts }, result: { artifact, change, warnings } };
  });
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
  const hashed = await hashFile(request.path, onProgress);
  if (hashed.kind === "refused") return hashed;
  const mimeType = detectMediaType(hashed.start);
  if (mimeType === null) {
    return publishingError(`"${request.path}" is no AVIF, JPEG, PNG or WebP picture`);
  }
  const { fileName, sha256, size } = hashed;
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
      result: { media, change, warnings: warnAboutUrl(media) },
    };
  });
}

/** By the first bytes, because a file's ending proves nothing. */
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

function sameValues(a: Artifact, b: Artifact): boolean {
  return (["signed", "distribution", "url", "sha256", "size"] as const).every(
    (name) => a[name] === b[name],
  );
}

/** A download redirects to the first artifact, so a direct one comes before the store's. */
function indexBeforeStore(artifacts: readonly Artifact[], artifact: Artifact): number {
  if (artifact.distribution === "play") return artifacts.length;
  const store = artifacts.findIndex(
    (item) => hasSameTarget(item, artifact) && item.distribution === "play",
  );
  return store < 0 ? artifacts.length : store;
}

function warnAboutOrder(artifacts: readonly Artifact[], artifact: Artifact): string[] {
  const first = artifacts.find((item) => hasSameTarget(item, artifact));
  if (first === undefined || first === artifact || artifact.distribution === "play") return [];
  return [
    `Downloads for ${artifact.platform} ${artifact.architecture} lead to the first artifact, "${first.fileName}": reorder them in the file if "${artifact.fileName}" should be it`,
  ];
}

/** An address that ends in another name than the file is often the address of another file. */
function warnAboutUrl({ fileName, url }: { fileName: string; url?: string }): string[] {
  const address = url === undefined ? null : URL.parse(url);
  const last = address?.pathname.split("/").at(-1) ?? "";
  if (address === null || last === fileName) return [];
  return [
    `The address ends in "${last}", but the file is "${fileName}": check that it leads to this file`,
  ];
}
