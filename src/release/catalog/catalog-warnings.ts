/** What of a catalogue needs attention and does not stop the service. */
import { parseDateTime } from "../../contract/date-time.ts";
import { DAY_MS } from "../../contract/durations.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { wasPublished, type Catalog } from "../../rules/release/catalog.ts";
import { MANIFEST_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import { checkLifetime } from "../../rules/release/verify-manifest.ts";
import type { OpenedCatalog } from "./opened-catalog.ts";
import { explainManifestError, LOST_MANIFEST_REMEDY } from "./explain-manifest.ts";

export function warnAbout(
  { catalog, manifest, neverSigned, unsigned }: OpenedCatalog,
  now: number,
): string[] {
  if (manifest === null) return warnUnsigned(catalog);
  const warnings = [...warnTimes(manifest.payload, now), ...neverSigned.map(warnNeverSigned)];
  if (unsigned.length > 0) {
    warnings.push(
      `${MANIFEST_FILE} does not have the latest state of ${unsigned.join(", ")}: run \`trellis release sign\``,
    );
  }
  return warnings;
}

function warnUnsigned(catalog: Catalog): string[] {
  return catalog.releases.some(wasPublished)
    ? [
        `${MANIFEST_FILE} is missing, although releases are published, so clients cannot verify them: ${LOST_MANIFEST_REMEDY}`,
      ]
    : [];
}

/** `publish` sets the status and signs in one step, so another hand has set this one. */
function warnNeverSigned(version: string): string {
  return `${releaseFile(version)} says "published", but ${MANIFEST_FILE} lacks the release: if its status was set by hand, set it back to "draft" and run \`trellis release publish ${version}\`, which checks it first; if it was published in another copy of this catalogue, run \`trellis release sign\``;
}

const EARLY_WARNING_MS = 7 * DAY_MS;

/** What clients refuse about the times of a manifest, or soon will. */
function warnTimes(payload: ManifestPayload, now: number): string[] {
  const error = checkLifetime(payload);
  if (error === null) return warnExpiry(payload, now);
  const { problem, remedy } = explainManifestError(error);
  return [`${MANIFEST_FILE} ${problem}: ${remedy}`];
}

function warnExpiry({ expiresAt, issuedAt }: ManifestPayload, now: number): string[] {
  const expiry = parseDateTime(expiresAt) ?? 0;
  const lifetime = expiry - (parseDateTime(issuedAt) ?? 0);
  const left = expiry - now;
  if (left <= 0) {
    return [
      `${MANIFEST_FILE} expired at ${expiresAt}, so clients cannot confirm that they are up to date: run \`trellis release sign\``,
    ];
  }
  // A short-lived manifest would otherwise be under warning for its whole life.
  if (left >= Math.min(EARLY_WARNING_MS, lifetime / 4)) return [];
  return [
    `${MANIFEST_FILE} expires at ${expiresAt}, in ${formatTimeLeft(left)}: run \`trellis release sign\``,
  ];
}

export function formatTimeLeft(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS);
  if (days > 0) return days === 1 ? "1 day" : `${days} days`;
  const hours = Math.floor(milliseconds / 3_600_000);
  return hours === 0 ? "less than an hour" : hours === 1 ? "1 hour" : `${hours} hours`;
}
