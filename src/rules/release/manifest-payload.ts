/** The decoded manifest payload: how it is made from a catalogue, and what a client must find in it. */
import { isDateTime, parseDateTime } from "../../contract/date-time.ts";
import type { ManifestPayload, Release, WithdrawnRelease } from "../../contract/release/schemas.ts";
import { MANIFEST_SCHEMA_VERSION } from "../../contract/release/values.ts";
import { isVersion } from "./version.ts";

export interface ManifestContent {
  readonly product: string;
  readonly lifetimeDays: number;
  /** Newest build first. */
  readonly releases: readonly Release[];
  readonly withdrawn: readonly WithdrawnRelease[];
}

/** The manifest signed before this one. */
export interface PreviousManifest {
  readonly sequence: number;
  readonly issuedAt: string;
  readonly envelopeSha256: string;
}

const DAY = 86_400_000;

export function createManifestPayload(
  content: ManifestContent,
  previous: PreviousManifest | null,
  now: number,
): ManifestPayload {
  // A clock that was set back must not make the new manifest older than the one before it.
  const before = previous === null ? null : parseDateTime(previous.issuedAt);
  const issuedAt = Math.max(now, before ?? 0);
  return {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    product: content.product,
    sequence: (previous?.sequence ?? 0) + 1,
    issuedAt: new Date(issuedAt).toISOString(),
    expiresAt: new Date(issuedAt + content.lifetimeDays * DAY).toISOString(),
    previous: previous?.envelopeSha256 ?? null,
    releases: [...content.releases],
    withdrawn: [...content.withdrawn],
  };
}

/**
 * Checks what a client relies on, without a schema library: this runs inside apps. The signature
 * has already proved who wrote it; this proves that this version of the client can read it.
 */
export function isManifestPayload(value: unknown): value is ManifestPayload {
  return (
    isRecord(value) &&
    value["schemaVersion"] === MANIFEST_SCHEMA_VERSION &&
    typeof value["product"] === "string" &&
    isCount(value["sequence"]) &&
    isTime(value["issuedAt"]) &&
    isTime(value["expiresAt"]) &&
    (value["previous"] === null || typeof value["previous"] === "string") &&
    isListOf(value["releases"], isRelease) &&
    isListOf(value["withdrawn"], isWithdrawn)
  );
}

function isRelease(value: unknown): boolean {
  return (
    isRecord(value) &&
    isVersionText(value["version"]) &&
    isCount(value["buildNumber"]) &&
    (value["channel"] === "stable" || value["channel"] === "beta") &&
    value["status"] === "published" &&
    isTime(value["publishedAt"]) &&
    isVersionText(value["minimumSupportedVersion"]) &&
    (value["mandatoryAfter"] === null || isTime(value["mandatoryAfter"])) &&
    isRecord(value["notes"]) &&
    isListOf(value["artifacts"], isArtifact)
  );
}

function isArtifact(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["platform"] === "string" &&
    typeof value["architecture"] === "string" &&
    typeof value["fileName"] === "string" &&
    typeof value["url"] === "string" &&
    value["url"].startsWith("https://") &&
    typeof value["sha256"] === "string" &&
    /^[a-f0-9]{64}$/.test(value["sha256"]) &&
    isCount(value["size"])
  );
}

function isWithdrawn(value: unknown): boolean {
  return isRecord(value) && isVersionText(value["version"]) && isCount(value["buildNumber"]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isVersionText(value: unknown): boolean {
  return typeof value === "string" && isVersion(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && isDateTime(value);
}
