/** Edits and deletes drafts. A release that was published never changes, and stays in the history. */
import { join } from "node:path";
import type { DraftRelease } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { releaseFile, RELEASES_FOLDER } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  errorsWith,
  findRelease,
  formatJson,
  publishingError,
  readForChange,
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

export type DraftResult =
  | { readonly kind: "found"; readonly draft: DraftRelease }
  | PublishingError;

/** `explainOther` says why a release that is no draft any more is refused. */
export function findDraft(
  catalog: Catalog,
  version: string,
  explainOther = (status: "published" | "withdrawn") =>
    `Release ${version} is ${status} and never changes: create a new one with \`trellis release new\``,
): DraftResult {
  const release = findRelease(catalog, version);
  if (release === undefined) return unknownReleaseError(catalog, version, "draft");
  return release.status === "draft"
    ? { kind: "found", draft: release }
    : publishingError(explainOther(release.status));
}

export async function planDiscard(context: CatalogContext, version: string): Promise<DraftResult> {
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
    // A removal is atomic without the journal, which knows only contents.
    context.files.remove(join(context.folder, releaseFile(version)));
    context.files.syncFolder(join(context.folder, RELEASES_FOLDER));
    return { kind: "change", changes: [], result: found.draft };
  });
}

function findDiscardable(catalog: Catalog, version: string): DraftResult {
  return findDraft(catalog, version, (status) =>
    status === "published"
      ? `Release ${version} is published, and history is kept: \`trellis release withdraw ${version}\` stops offering it`
      : `Release ${version} is withdrawn, and history is kept`,
  );
}
