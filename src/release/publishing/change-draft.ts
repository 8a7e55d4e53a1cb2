/** Changes one draft; what was published never changes. */
import type { DraftRelease, SourceRelease } from "../../contract/release/catalog.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { releaseFile } from "../../rules/release/catalog-files.ts";
import { validateCatalog } from "../../rules/release/validate-catalog.ts";
import {
  changeCatalog,
  formatJson,
  refuse,
  type Change,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";

export async function changeDraft<T>(
  bench: CatalogContext,
  version: string,
  edit: (
    draft: DraftRelease,
    catalog: Catalog,
  ) => { draft: DraftRelease; result: T } | PublishingError,
): Promise<Change<T>> {
  return changeCatalog<T>(bench, ({ catalog }) => {
    const release = findRelease(catalog, version);
    if (release === undefined) return refuseUnknown(version);
    if (release.status !== "draft") {
      return refuse(
        `Release ${version} is ${release.status} and never changes: make a new one with \`trellis release new\``,
      );
    }
    const edited = edit(release, catalog);
    if ("kind" in edited) return edited;
    const faults = faultsWith(catalog, edited.draft);
    if (faults.length > 0) return refuse(`Release ${version} would not be valid`, faults);
    const content = formatJson(edited.draft);
    const changes =
      content === formatJson(release) ? [] : [{ file: releaseFile(version), content }];
    return { kind: "change", changes, result: edited.result };
  });
}

export function findRelease({ releases }: Catalog, version: string): SourceRelease | undefined {
  return releases.find((release) => release.version === version);
}

export function refuseUnknown(version: string): PublishingError {
  return refuse(
    `There is no release ${version}: begin it with \`trellis release new ${version} --build N\``,
  );
}

/** The catalogue with one release replaced. */
export function withRelease(catalog: Catalog, release: SourceRelease): Catalog {
  return {
    ...catalog,
    releases: catalog.releases.map((item) => (item.version === release.version ? release : item)),
  };
}

/** What would be wrong with the catalogue if the release were so. */
export function faultsWith(catalog: Catalog, release: SourceRelease): readonly CatalogFileError[] {
  const changed = withRelease(catalog, release);
  const check = validateCatalog({
    catalog: changed.settings,
    keys: changed.keys,
    releases: changed.releases.map((value) => ({ file: releaseFile(value.version), value })),
  });
  return check.kind === "invalid" ? check.errors : [];
}
