/** Deletes a draft. What was published is withdrawn instead, and stays in the history. */
import { join } from "node:path";
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { releaseFile, RELEASES_FOLDER } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  findRelease,
  publishingError,
  readForChange,
  unknownReleaseError,
  type CatalogContext,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";

/** The draft that would be deleted, or why none would. */
export async function planDiscard(
  context: CatalogContext,
  version: string,
): Promise<{ readonly kind: "planned"; readonly draft: DraftRelease } | PublishingError> {
  const state = await readForChange(context);
  return state.kind === "refused" ? state : findDiscardable(state.catalog, version);
}

export async function discardDraft(
  context: CatalogContext,
  version: string,
): Promise<ChangeResult<DraftRelease>> {
  return changeCatalog<DraftRelease>(context, ({ catalog }) => {
    const found = findDiscardable(catalog, version);
    if (found.kind === "refused") return found;
    // One removal is atomic without the journal, which knows only contents.
    context.files.remove(join(context.folder, releaseFile(version)));
    context.files.syncFolder(join(context.folder, RELEASES_FOLDER));
    return { kind: "change", changes: [], result: found.draft };
  });
}

function findDiscardable(
  catalog: Catalog,
  version: string,
): { readonly kind: "planned"; readonly draft: DraftRelease } | PublishingError {
  const release = findRelease(catalog, version);
  if (release === undefined) return unknownReleaseError(catalog, version, "draft");
  switch (release.status) {
    case "draft":
      return { kind: "planned", draft: release };
    case "published":
      return publishingError(
        `Release ${version} is published, and history is kept: \`trellis release withdraw ${version}\` stops offering it`,
      );
    case "withdrawn":
      return publishingError(`Release ${version} is withdrawn, and history is kept`);
  }
}
