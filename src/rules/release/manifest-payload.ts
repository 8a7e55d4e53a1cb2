/** The decoded manifest payload: how it is created, and what a client checks in it. */
import { isDateTime, parseDateTime } from "../../contract/date-time.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { isObject } from "../../contract/is-object.ts";
import type {
  ManifestArchive,
  ManifestPayload,
  Release,
  ReleaseArchive,
  Rollout,
  SignedFiles,
  WithdrawnRelease,
} from "../../contract/release/schemas.ts";
import {
  EVERYBODY_PERCENT,
  FILE_NAME_PATTERN,
  HTTPS_PATTERN,
  MANIFEST_SCHEMA_VERSION,
  RELEASE_CHANNELS,
  SHA256_PATTERN,
} from "../../contract/release/values.ts";
import { isVersion } from "./version.ts";

export interface ManifestContent {
  readonly product: string;
  readonly lifetimeDays: number;
  readonly revokedKeys: readonly string[];
  /** The rollouts are only those of releases that are not out for everybody. */
  readonly rollouts: readonly Rollout[];
  readonly files: readonly SignedFiles[];
  /** Null when the manifest has the whole history. */
  readonly archive: ManifestArchive | null;
  /** The releases are ordered by build, newest first. */
  readonly releases: readonly Release[];
  readonly withdrawn: readonly WithdrawnRelease[];
}

export interface PreviousManifest {
  readonly sequence: number;
  readonly issuedAt: string;
  readonly envelopeSha256: string;
}

export function createManifestPayload(
  content: ManifestContent,
  previous: PreviousManifest | null,
  now: number,
): ManifestPayload {
  // A clock that was set back must not make the new manifest older than the previous one.
  const before = previous === null ? null : parseDateTime(previous.issuedAt);
  const issuedAt = Math.max(now, before ?? 0);
  return {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    product: content.product,
    sequence: (previous?.sequence ?? 0) + 1,
    issuedAt: new Date(issuedAt).toISOString(),
    expiresAt: new Date(issuedAt + content.lifetimeDays * DAY_MS).toISOString(),
    previous: previous?.envelopeSha256 ?? null,
    ...(content.revokedKeys.length > 0 && { revokedKeys: [...content.revokedKeys] }),
    ...(content.rollouts.length > 0 && { rollouts: [...content.rollouts] }),
    ...(content.files.length > 0 && { files: [...content.files] }),
    ...(content.archive !== null && { archive: content.archive }),
    releases: [...content.releases],
    withdrawn: [...content.withdrawn],
  };
}

/** Whether this client can read the signed payload; without a schema library, because it runs inside apps. */
export function isManifestPayload(value: unknown): value is ManifestPayload {
  return (
    isObject(value) &&
    value["schemaVersion"] === MANIFEST_SCHEMA_VERSION &&
    typeof value["product"] === "string" &&
    isCount(value["sequence"]) &&
    isTime(value["issuedAt"]) &&
    isTime(value["expiresAt"]) &&
    (value["previous"] === null || isText(value["previous"])) &&
    (value["revokedKeys"] === undefined || isListOf(value["revokedKeys"], isText)) &&
    (value["rollouts"] === undefined || isListOf(value["rollouts"], isRollout)) &&
    (value["files"] === undefined || isListOf(value["files"], isSignedFiles)) &&
    (value["archive"] === undefined || isManifestArchive(value["archive"])) &&
    isListOf(value["releases"], isRelease) &&
    isListOf(value["withdrawn"], isWithdrawn)
  );
}

/** The same for an archive whose digest was signed. */
export function isReleaseArchive(value: unknown): value is ReleaseArchive {
  return (
    isObject(value) &&
    value["schemaVersion"] === MANIFEST_SCHEMA_VERSION &&
    typeof value["product"] === "string" &&
    isListOf(value["releases"], isRelease) &&
    isListOf(value["files"], isSignedFiles) &&
    isListOf(value["withdrawn"], isWithdrawn)
  );
}

function isManifestArchive(value: unknown): boolean {
  return (
    isObject(value) &&
    matches(value["sha256"], SHA256) &&
    isCount(value["size"]) &&
    (value["releases"] === 0 || isCount(value["releases"]))
  );
}

function isRelease(value: unknown): boolean {
  return (
    isObject(value) &&
    isVersionText(value["version"]) &&
    isCount(value["buildNumber"]) &&
    RELEASE_CHANNELS.some((channel) => channel === value["channel"]) &&
    value["status"] === "published" &&
    isTime(value["publishedAt"]) &&
    isVersionText(value["minimumSupportedVersion"]) &&
    (value["mandatoryAfter"] === null || isTime(value["mandatoryAfter"])) &&
    isObject(value["notes"]) &&
    isListOf(value["artifacts"], isArtifact)
  );
}

const FILE_NAME = new RegExp(FILE_NAME_PATTERN);
const HTTPS = new RegExp(HTTPS_PATTERN);
const SHA256 = new RegExp(SHA256_PATTERN);

function isArtifact(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value["platform"] === "string" &&
    typeof value["architecture"] === "string" &&
    // An app may create a file of this name, so it must not contain a path.
    matches(value["fileName"], FILE_NAME) &&
    matches(value["url"], HTTPS) &&
    matches(value["sha256"], SHA256) &&
    isCount(value["size"])
  );
}

function isWithdrawn(value: unknown): boolean {
  return (
    isObject(value) &&
    isVersionText(value["version"]) &&
    isCount(value["buildNumber"]) &&
    typeof value["reason"] === "string" &&
    (value["replacedBy"] === undefined || isVersionText(value["replacedBy"]))
  );
}

function isRollout(value: unknown): boolean {
  return isObject(value) && isVersionText(value["version"]) && isPercent(value["percent"]);
}

function isSignedFiles(value: unknown): boolean {
  return isObject(value) && isVersionText(value["version"]) && matches(value["sha256"], SHA256);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isPercent(value: unknown): boolean {
  return value === 0 || (isCount(value) && Number(value) <= EVERYBODY_PERCENT);
}

function isVersionText(value: unknown): boolean {
  return typeof value === "string" && isVersion(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && isDateTime(value);
}
