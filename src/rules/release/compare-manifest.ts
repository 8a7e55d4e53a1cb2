/** A published release never changes: compares a catalogue with what its manifest has signed. */
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { isSettled, publishedReleases, withdrawnReleases, type Catalog } from "./catalog.ts";
import { releaseFile, type CatalogFault } from "./validate-catalog.ts";

export interface ManifestComparison {
  /** History that was rewritten. */
  readonly faults: readonly CatalogFault[];
  /** Honest changes that are not signed yet: clients that verify do not see them. */
  readonly unsigned: readonly string[];
}

export function compareWithManifest(
  catalog: Catalog,
  manifest: Pick<ManifestPayload, "releases" | "withdrawn">,
): ManifestComparison {
  const faults: CatalogFault[] = [];
  const published = new Map(publishedReleases(catalog).map((item) => [item.version, item]));
  const settled = new Set(catalog.releases.filter(isSettled).map(({ version }) => version));
  const signed = new Set(manifest.releases.map(({ version }) => version));
  const signedWithdrawn = new Set(manifest.withdrawn.map(({ version }) => version));

  for (const release of manifest.releases) {
    const { version } = release;
    const now = published.get(version);
    if (!settled.has(version)) {
      faults.push({
        file: releaseFile(version),
        path: "",
        problem: "was published and signed, and is no longer there",
        remedy: "restore the file; use `trellis release withdraw` to take a release back",
      });
    } else if (now !== undefined && !sameJson(now, release)) {
      faults.push({
        file: releaseFile(version),
        path: firstDifference(release, now),
        problem: "differs from what was published and signed",
        remedy: "a published release never changes: restore it and publish a new version",
      });
    }
  }
  for (const version of signedWithdrawn) {
    if (!published.has(version)) continue;
    faults.push({
      file: releaseFile(version),
      path: "status",
      problem: "is published again, although the release was withdrawn",
      remedy: "a withdrawn release does not return: publish a new version",
    });
  }
  const unsigned = [
    ...[...published.keys()].filter((version) => !signed.has(version)),
    ...withdrawnReleases(catalog)
      .map(({ version }) => version)
      .filter((version) => !signedWithdrawn.has(version)),
  ];
  return { faults, unsigned };
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name) || !sameJson(left[name], right[name])) return false;
  }
  return true;
}

function firstDifference(a: Record<string, unknown>, b: Record<string, unknown>): string {
  return Object.keys({ ...a, ...b }).find((name) => !sameJson(a[name], b[name])) ?? "";
}
