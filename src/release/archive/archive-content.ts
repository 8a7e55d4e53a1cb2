/** What the archives of the current manifest and of the one before have, from the catalogue's own store. */
import { createHash } from "node:crypto";
import type {
  ArchiveEntry,
  PublishedSource,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import type { ManifestArchive, ManifestPayload } from "../../contract/release/schemas.ts";
import { canonicalJson } from "../../rules/canonical-json.ts";
import {
  archiveParts,
  type ArchiveContent,
  type ArchivedRelease,
} from "../../rules/release/archive-document.ts";
import {
  toPublicRelease,
  toPublicWithdrawal,
  wasPublished,
  type Catalog,
  type CatalogArchive,
} from "../../rules/release/catalog.ts";
import { releaseFilesText } from "../../rules/release/release-files.ts";
import { sha256OfText } from "../catalog/sha256-of-text.ts";

/** The archive that belongs to a manifest: what the catalogue keeps in lines and the manifest does not have. */
export function currentArchive(
  catalog: Catalog,
  payload: Pick<ManifestPayload, "releases" | "withdrawn">,
): ArchiveContent | null {
  const { archive } = catalog;
  if (archive === undefined) return null;
  const entries = [...archive.entries.values()].toSorted((a, b) => b.buildNumber - a.buildNumber);
  const shown = new Set(payload.releases.map(({ version }) => version));
  const named = new Set(payload.withdrawn.map(({ version }) => version));
  const releases = entries
    .filter(({ withdrawal, version }) => withdrawal === undefined && !shown.has(version))
    .map((entry) => toArchived(archive, entry));
  const withdrawn = entries.flatMap(({ withdrawal, ...release }) =>
    withdrawal === undefined || named.has(release.version)
      ? []
      : toPublicWithdrawal({ ...release, withdrawal }),
  );
  return releases.length + withdrawn.length === 0
    ? null
    : { product: catalog.settings.product, releases, withdrawn };
}

/** What a manifest must say of its archive: the digest of tens of megabytes, so it is remembered. */
export function summariseCurrent(
  catalog: Catalog,
  payload: Pick<ManifestPayload, "releases" | "withdrawn">,
): ManifestArchive | null {
  const { archive } = catalog;
  if (archive === undefined) return null;
  const key = [catalog.settings.product, ...payload.releases, "", ...payload.withdrawn]
    .map((one) => (typeof one === "string" ? one : one.version))
    .join(" ");
  const known = summaries.get(archive);
  if (known?.key === key) return known.summary;
  const summary = summariseArchive(currentArchive(catalog, payload));
  summaries.set(archive, { key, summary });
  return summary;
}

const summaries = new WeakMap<
  CatalogArchive,
  { readonly key: string; readonly summary: ManifestArchive | null }
>();

/** The archive of the manifest before; null when there was none, or it was the same. */
export function previousArchive(
  catalog: Catalog,
  current: ArchiveContent | null,
): ArchiveContent | null {
  const previous = catalog.archive?.header.previous;
  if (previous === undefined) return null;
  const added = new Set(previous.added);
  const addedWithdrawn = new Set(previous.addedWithdrawn);
  const gone = new Set(previous.releases);
  const builds = new Map(
    catalog.releases.map(({ version, buildNumber }) => [version, buildNumber]),
  );
  const newestFirst = (a: { version: string }, b: { version: string }) =>
    (builds.get(b.version) ?? 0) - (builds.get(a.version) ?? 0);
  return {
    product: catalog.settings.product,
    releases: [
      ...(current?.releases ?? []).filter(({ version }) => !added.has(version)),
      ...catalog.releases
        .filter(wasPublished)
        .filter(({ version }) => gone.has(version))
        .map((release) => toArchivedRelease(catalog, release)),
    ].toSorted(newestFirst),
    withdrawn: [
      ...(current?.withdrawn ?? []).filter(({ version }) => !addedWithdrawn.has(version)),
      ...previous.withdrawn,
    ].toSorted(newestFirst),
  };
}

export function toArchivedRelease(
  { archive }: Catalog,
  release: PublishedSource | WithdrawnSource,
): ArchivedRelease {
  const { version } = release;
  const entry = archive?.entries.get(version);
  return archive === undefined || entry === undefined
    ? {
        version,
        text: () => canonicalJson(toPublicRelease(release)),
        filesSha256: sha256OfText(releaseFilesText(release)),
      }
    : toArchived(archive, entry);
}

function toArchived(archive: CatalogArchive, entry: ArchiveEntry): ArchivedRelease {
  const { version, filesSha256 } = entry;
  return { version, text: () => archive.readRelease(entry), filesSha256 };
}

/** What the manifest says of its archive. */
export function summariseArchive(content: ArchiveContent | null): ManifestArchive | null {
  if (content === null) return null;
  const digest = createHash("sha256");
  let size = 0;
  for (const part of archiveParts(content)) {
    digest.update(part);
    size += typeof part === "string" ? Buffer.byteLength(part) : part.length;
  }
  return { sha256: digest.digest("hex"), size, releases: content.releases.length };
}

export function archiveBytes(content: ArchiveContent): Buffer<ArrayBuffer> {
  return Buffer.concat(
    // A copy: the text of a line is valid until the next one is read.
    Array.from(archiveParts(content), (part) => Buffer.from(part as string)),
  );
}
