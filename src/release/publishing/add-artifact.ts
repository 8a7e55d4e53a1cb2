/** Enters a built file in a draft. Parallel build jobs may do so at the same time. */
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { ArtifactPlatform, Distribution } from "../../contract/release/values.ts";
import { refuse, type Change, type CatalogContext } from "./change-catalog.ts";
import { changeDraft } from "./change-draft.ts";
import { hashFile, type HashProgress } from "./hash-file.ts";
import { warnAboutUrl } from "./warn-about-url.ts";

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
  /** Whether the draft had an artifact of this identity before. */
  readonly change: "added" | "replaced" | "unchanged";
  readonly warnings: readonly string[];
}

type Artifact = DraftRelease["artifacts"][number];

export async function addArtifact(
  bench: CatalogContext,
  wanted: NewArtifact,
  onProgress?: HashProgress,
): Promise<Change<AddedArtifact>> {
  const { platform, architecture, distribution } = wanted;
  if (platform === "android" && distribution === undefined) {
    return refuse("An android artifact needs --distribution direct or --distribution play");
  }
  if (platform !== "android" && distribution !== undefined) {
    return refuse("Only android artifacts have a --distribution: leave it out");
  }
  // Hashing is slow and needs no lock.
  const hashed = await hashFile(wanted.path, onProgress);
  if (hashed.kind === "refused") return hashed;
  const artifact: Artifact = {
    platform,
    architecture,
    fileName: hashed.fileName,
    signed: wanted.signed,
    ...(distribution !== undefined && { distribution }),
    url: wanted.url,
    sha256: hashed.sha256,
    size: hashed.size,
  };
  return changeDraft<AddedArtifact>(bench, wanted.version, (draft) => {
    const before = draft.artifacts.findIndex((item) => isSameFile(item, artifact));
    const artifacts = [...draft.artifacts];
    if (before >= 0) artifacts.splice(before, 1);
    const at = before >= 0 ? before : artifacts.length;
    artifacts.splice(Math.min(at, placeBeforeStore(artifacts, artifact)), 0, artifact);
    const replaced = draft.artifacts[before];
    const change =
      replaced === undefined ? "added" : sameValues(replaced, artifact) ? "unchanged" : "replaced";
    const warnings = [...warnAboutUrl(artifact), ...warnAboutOrder(artifacts, artifact)];
    return { draft: { ...draft, artifacts }, result: { artifact, change, warnings } };
  });
}

function isSameKind(a: Artifact, b: Artifact): boolean {
  return a.platform === b.platform && a.architecture === b.architecture;
}

function isSameFile(a: Artifact, b: Artifact): boolean {
  return isSameKind(a, b) && a.fileName === b.fileName;
}

function sameValues(a: Artifact, b: Artifact): boolean {
  return (["signed", "distribution", "url", "sha256", "size"] as const).every(
    (name) => a[name] === b[name],
  );
}

/** A download redirects to the first artifact, so a direct one stands before the store's. */
function placeBeforeStore(artifacts: readonly Artifact[], artifact: Artifact): number {
  if (artifact.distribution === "play") return artifacts.length;
  const store = artifacts.findIndex(
    (item) => isSameKind(item, artifact) && item.distribution === "play",
  );
  return store < 0 ? artifacts.length : store;
}

function warnAboutOrder(artifacts: readonly Artifact[], artifact: Artifact): string[] {
  const first = artifacts.find((item) => isSameKind(item, artifact));
  if (first === undefined || first === artifact || artifact.distribution === "play") return [];
  return [
    `Downloads for ${artifact.platform} ${artifact.architecture} lead to the first artifact, "${first.fileName}": reorder them in the file if "${artifact.fileName}" should be it`,
  ];
}
