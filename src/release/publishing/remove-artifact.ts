/** Removes an artifact from a draft. */
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { ArtifactPlatform, Distribution } from "../../contract/release/values.ts";
import { fileNameOfUrl } from "../../rules/release/file-name.ts";
import { publishingError, type CatalogContext, type ChangeResult } from "./change-catalog.ts";
import { changeDraft } from "./change-draft.ts";

/** What is given must all match, and it must match one artifact alone. */
export interface ArtifactSelector {
  /** The name in the catalogue, or the last segment of the address. */
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
    const [artifact, ...others] = draft.artifacts.filter((item) => matches(item, selector));
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

function matches(artifact: Artifact, selector: ArtifactSelector): boolean {
  const { fileName, ...target } = selector;
  return (
    (fileName === undefined ||
      fileName === artifact.fileName ||
      // Builders use names that the catalogue does not; the address keeps them.
      fileName === fileNameOfUrl(artifact.url ?? "")) &&
    (["platform", "architecture", "distribution"] as const).every(
      (name) => target[name] === undefined || target[name] === artifact[name],
    )
  );
}

function describe({ fileName, platform, architecture, distribution }: Artifact): string {
  const kind = distribution === undefined ? "" : ` ${distribution}`;
  return `${fileName} (${platform} ${architecture}${kind})`;
}
