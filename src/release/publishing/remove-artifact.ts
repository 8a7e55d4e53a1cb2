/** Removes an artifact from a draft. */
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { ArtifactPlatform, Distribution } from "../../contract/release/values.ts";
import { fileNameOfUrl, toPublicFileName } from "../../rules/release/file-name.ts";
import { publishingError, type CatalogContext, type ChangeResult } from "./change-catalog.ts";
import { changeDraft } from "./change-draft.ts";

/** What is given must all match, and it must match one artifact alone. */
export interface ArtifactSelector {
  /** The name in the catalogue, the last segment of the address, or the name of the built file. */
  readonly fileName?: string | undefined;
  readonly platform?: ArtifactPlatform | undefined;
  readonly architecture?: string | undefined;
  readonly distribution?: Distribution | undefined;
}

type Artifact = DraftRelease["artifacts"][number];

export async function removeArtifact(
  context: CatalogContext,
  version: string,
  selector: ArtifactSelector,
): Promise<ChangeResult<{ readonly artifact: Artifact; readonly remaining: number }>> {
  return changeDraft(context, version, (draft) => {
    const [artifact, ...others] = select(draft.artifacts, selector);
    if (artifact === undefined) {
      const known = draft.artifacts.map(describe).join(", ");
      return publishingError(
        draft.artifacts.length === 0
          ? `The draft ${version} has no artifacts`
          : `The draft ${version} has no such artifact: it has ${known}`,
      );
    }
    if (others.length > 0) {
      return publishingError(
        `Several artifacts of the draft ${version} match: ${[artifact, ...others].map(describe).join(", ")}; say which with its file name, --platform, --architecture or --distribution`,
      );
    }
    const artifacts = draft.artifacts.filter((item) => item !== artifact);
    return {
      draft: { ...draft, artifacts },
      result: { artifact, remaining: artifacts.length },
    };
  });
}

function select(artifacts: readonly Artifact[], selector: ArtifactSelector): Artifact[] {
  const { fileName, ...target } = selector;
  const aimed = artifacts.filter((artifact) =>
    (["platform", "architecture", "distribution"] as const).every(
      (name) => target[name] === undefined || target[name] === artifact[name],
    ),
  );
  if (fileName === undefined) return aimed;
  // Builders use names that the catalogue does not; the address may keep them.
  const named = aimed.filter(
    (item) => fileName === item.fileName || fileName === fileNameOfUrl(item.url ?? ""),
  );
  return named.length > 0
    ? named
    : aimed.filter((item) => item.fileName === toPublicFileName(fileName));
}

function describe({ fileName, platform, architecture, distribution }: Artifact): string {
  const kind = distribution === undefined ? "" : ` ${distribution}`;
  return `${fileName} (${platform} ${architecture}${kind})`;
}
