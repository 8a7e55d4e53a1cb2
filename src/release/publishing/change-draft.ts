/** Edits a draft. A release that was published never changes. */
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { releaseFile } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  errorsWith,
  findRelease,
  formatJson,
  publishingError,
  unknownReleaseError,
  type CatalogContext,
  type ChangeResult,
  type PublishingError,
} from "./change-catalog.ts";

export interface EditedDraft<T> {
  readonly draft: DraftRelease;
  readonly result: T;
}

export async function changeDraft<T>(
  context: CatalogContext,
  version: string,
  edit: (draft: DraftRelease, catalog: Catalog) => EditedDraft<T> | PublishingError,
): Promise<ChangeResult<T>> {
  return changeCatalog<T>(context, ({ catalog }) => {
    const found = findDraft(catalog, version);
    if (found.kind === "refused") return found;
    const edited = edit(found.draft, catalog);
    if ("kind" in edited) return edited;
    const { draft, result } = edited;
    const errors = errorsWith(catalog, draft);
    if (errors.length > 0) return publishingError(`Release ${version} would not be valid`, errors);
    const content = formatJson(draft);
    const changes =
      content === formatJson(found.draft) ? [] : [{ file: releaseFile(version), content }];
    return { kind: "change", changes, result };
  });
}

export function findDraft(
  catalog: Catalog,
  version: string,
): { readonly kind: "found"; readonly draft: DraftRelease } | PublishingError {
  const release = findRelease(catalog, version);
  if (release === undefined) return unknownReleaseError(catalog, version, "draft");
  if (release.status === "draft") return { kind: "found", draft: release };
  return publishingError(
    `Release ${version} is ${release.status} and never changes: make a new one with \`trellis release new\``,
  );
}
