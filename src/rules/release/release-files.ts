/**
 * What a release publishes beside the contract: the app's own version, and the files' SHA-512 digests and
 * signatures for other updaters. The manifest signs the digest of this text, and the service sends the text as it is.
 */
import type {
  PublishedSource,
  ReleaseFiles,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import type { SignedFiles } from "../../contract/release/schemas.ts";
import { versionsOf } from "./app-version.ts";
import { canonicalJson } from "../canonical-json.ts";
import { isPublished, wasPublished, type Catalog } from "./catalog.ts";
import type { CatalogFileError } from "./catalog-file-error.ts";
import { releaseFile } from "./catalog-files.ts";

/** SHA-256 of a text as UTF-8, in hexadecimal. */
export type Sha256OfText = (text: string) => string;

export function releaseFilesText(release: PublishedSource | WithdrawnSource): string {
  const list = { ...versionsOf(release), files: release.artifacts } satisfies ReleaseFiles;
  return canonicalJson(list);
}

export function signedFiles({ releases }: Pick<Catalog, "releases">, sha256: Sha256OfText) {
  return releases
    .filter(isPublished)
    .map((release) => ({ version: release.version, sha256: sha256(releaseFilesText(release)) }));
}

/** Finds hand edits that `compareWithManifest` cannot see, because no release of the contract has these members. */
export function compareFiles(
  { releases }: Pick<Catalog, "releases">,
  files: readonly SignedFiles[],
  sha256: Sha256OfText,
): CatalogFileError[] {
  const signed = new Map(files.map((entry) => [entry.version, entry.sha256]));
  return releases
    .filter(wasPublished)
    .filter((release) => {
      const expected = signed.get(release.version);
      return expected !== undefined && expected !== sha256(releaseFilesText(release));
    })
    .map(({ version }) => ({
      file: releaseFile(version),
      path: "artifacts",
      problem:
        "have a SHA-512, an updater's signature or another member, or the release has an appVersion, that differs from what was published and signed",
      remedy: "a published release never changes: restore the file and publish a new version",
    }));
}
