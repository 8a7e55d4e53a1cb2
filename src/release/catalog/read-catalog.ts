/** Reads and judges a catalogue folder with everything in it, as the commands need it. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import {
  isPublished,
  isSettled,
  publishedReleases,
  toPublicRelease,
  withdrawnReleases,
  type Catalog,
  type ReleaseRecord,
} from "../../rules/release/catalog.ts";
import { compareWithManifest } from "../../rules/release/compare-manifest.ts";
import { checkPayload, type ManifestResult } from "../../rules/release/open-manifest.ts";
import type { ManifestHead } from "../../rules/release/recognize-payload.ts";
import { serialiseRelease } from "../release-body.ts";
import { MANIFEST_FILE } from "./files.ts";
import {
  createCatalogMemory,
  invalidManifest,
  openCatalog,
  type InvalidCatalog,
  type OpenedManifest,
  type ReleaseKeeper,
} from "./open-catalog.ts";

export interface LoadedManifest {
  /** The exact bytes of manifest.json: they are what is served. */
  readonly envelope: Buffer<ArrayBuffer>;
  readonly keyId: string;
  readonly payload: ManifestPayload;
}

export type CatalogReadResult =
  | {
      readonly kind: "loaded";
      readonly catalog: Catalog;
      readonly manifest: LoadedManifest | null;
      /** What does not stop the service but should be looked at. */
      readonly warnings: readonly string[];
    }
  | InvalidCatalog;

export async function readCatalog(folder: string, now: number): Promise<CatalogReadResult> {
  const opened = await openCatalog(folder, WHOLE_RELEASES, createCatalogMemory());
  if (opened.kind === "invalid") return opened;
  const { catalog, manifest } = opened;
  return manifest === null
    ? { kind: "loaded", catalog, manifest: null, warnings: warnUnsigned(catalog) }
    : judgeManifest(catalog, manifest, now);
}

const WHOLE_RELEASES: ReleaseKeeper<SourceRelease> = {
  keep: (source) => source,
  measure: (release, next) => {
    if (!isPublished(release)) return null;
    const body = Buffer.from(serialiseRelease(toPublicRelease(release)).text, "utf8");
    return next(body.length).equals(body) ? body.length : null;
  },
};

function judgeManifest(
  catalog: Catalog,
  { envelope, signed, recognized }: OpenedManifest,
  now: number,
): CatalogReadResult {
  const { keyId } = signed;
  if (recognized !== null) {
    const releases = publishedReleases(catalog);
    const payload = { ...recognized.head, releases, withdrawn: withdrawnReleases(catalog) };
    const manifest = { envelope, keyId, payload };
    return { kind: "loaded", catalog, manifest, warnings: warnExpiry(payload, now) };
  }
  const outcome = judgeSigned(catalog, signed);
  if (outcome.kind !== "verified") return invalidManifest(outcome);
  const { payload } = outcome;
  const { faults, unsigned } = compareWithManifest(catalog, payload);
  if (faults.length > 0) return { kind: "invalid", faults };
  const warnings = warnExpiry(payload, now);
  if (unsigned.length > 0) {
    warnings.push(
      `${MANIFEST_FILE} does not have the latest state of ${unsigned.join(", ")}: run \`trellis release sign\``,
    );
  }
  return { kind: "loaded", catalog, manifest: { envelope, keyId, payload }, warnings };
}

function judgeSigned(
  { keys, settings }: Catalog,
  { keyId, payload }: OpenedManifest["signed"],
): ManifestResult {
  // Expiry is judged apart: an expired manifest is still the one that was signed last.
  const trust = { keys, product: settings.product, highestSequence: 0, now: -Infinity };
  const bytes = payload.read(0, payload.length);
  return checkPayload({ kind: "signed", keyId, bytes }, trust);
}

function warnUnsigned(catalog: Catalog<ReleaseRecord>): string[] {
  return catalog.releases.some(isSettled)
    ? [
        `There is no ${MANIFEST_FILE}, so clients cannot verify a release: run \`trellis release sign\``,
      ]
    : [];
}

const DAY_MS = 86_400_000;
const EARLY_WARNING_MS = 7 * DAY_MS;

export function warnExpiry(payload: ManifestHead, now: number): string[] {
  const expiresAt = parseDateTime(payload.expiresAt) ?? 0;
  const issuedAt = parseDateTime(payload.issuedAt) ?? 0;
  const left = expiresAt - now;
  if (left <= 0) {
    return [
      `${MANIFEST_FILE} expired at ${payload.expiresAt}, so clients cannot confirm that they are up to date: run \`trellis release sign\``,
    ];
  }
  // A short-lived manifest would otherwise be under warning for its whole life.
  if (left >= Math.min(EARLY_WARNING_MS, (expiresAt - issuedAt) / 4)) return [];
  return [
    `${MANIFEST_FILE} expires at ${payload.expiresAt}, in ${formatTimeLeft(left)}: run \`trellis release sign\``,
  ];
}

export function formatTimeLeft(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS);
  if (days > 0) return days === 1 ? "1 day" : `${days} days`;
  const hours = Math.floor(milliseconds / 3_600_000);
  return hours === 0 ? "less than an hour" : hours === 1 ? "1 hour" : `${hours} hours`;
}
