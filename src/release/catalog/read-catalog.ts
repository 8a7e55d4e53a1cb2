/** Reads a catalogue folder and checks everything in it: the files, the history, the signed manifest. */
import { createPublicKey, verify } from "node:crypto";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import { parseDateTime } from "../../contract/date-time.ts";
import { DAY_MS } from "../../contract/durations.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { wasPublished, type Catalog } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import {
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
  CATALOG_FILE,
  KEYS_FILE,
  MANIFEST_FILE,
  releaseFile,
  RELEASES_FOLDER,
} from "../../rules/release/catalog-files.ts";
import { checkSigner } from "../../rules/release/check-signer.ts";
import { compareWithManifest } from "../../rules/release/compare-manifest.ts";
import { compareFiles } from "../../rules/release/release-files.ts";
import {
  checkLifetime,
  openManifest,
  type ManifestError,
  type SignatureOptions,
} from "../../rules/release/verify-manifest.ts";
import {
  validateCatalog,
  type CatalogValidationResult,
} from "../../rules/release/validate-catalog.ts";
import { explainManifestError, LOST_MANIFEST_REMEDY } from "./explain-manifest.ts";
import { explainMergeConflict } from "./merge-conflict.ts";
import { readFolder, type FolderContents } from "./read-folder.ts";
import { sha256OfText } from "./sha256-of-text.ts";
import { summariseCurrent } from "../archive/archive-content.ts";
import { archiveError } from "../archive/archive-error.ts";
import { readArchive, type ReadArchive } from "../archive/read-archive.ts";

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
      /** What needs attention and does not stop the service. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "invalid"; readonly errors: readonly CatalogFileError[] };

export async function readCatalog(folder: string, now: number): Promise<CatalogReadResult> {
  if (!isFolder(folder)) {
    const remedy = "create a catalogue there with `trellis release init`, or correct its path";
    return invalid(folder, "is not a folder that can be read", remedy);
  }
  const files = await readFolder(folder);
  const validation = validateFiles(files);
  if (validation.kind === "invalid") return validation;
  const { catalog } = validation;
  const manifest = files.get(MANIFEST_FILE);
  if (manifest?.kind !== "bytes") {
    return { kind: "loaded", catalog, manifest: null, warnings: warnUnsigned(catalog) };
  }
  return readManifest(catalog, manifest.bytes, now);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function invalid(file: string, problem: string, remedy: string): CatalogReadResult {
  return { kind: "invalid", errors: [{ file, path: "", problem, remedy }] };
}

function validateFiles(files: FolderContents): CatalogValidationResult {
  const errors: CatalogFileError[] = [];
  for (const file of [CATALOG_FILE, KEYS_FILE]) {
    if (files.has(file)) continue;
    const remedy = "restore it, or create a catalogue with `trellis release init`";
    errors.push({ file, path: "", problem: "is missing", remedy });
  }
  const values = new Map<string, unknown>();
  for (const [file, content] of files) {
    if (content.kind === "json") values.set(file, content.value);
    if (content.kind !== "unusable") continue;
    errors.push({ file, path: "", problem: content.problem, remedy: content.remedy });
  }
  const [index, lines] = [files.get(ARCHIVE_INDEX_FILE), files.get(ARCHIVE_FILE)];
  const archive = readArchive(
    index?.kind === "bytes" ? index.bytes : null,
    lines?.kind === "lines" ? lines : null,
  );
  if (archive !== null && !isRead(archive)) errors.push(archive);
  const stored = archive !== null && isRead(archive) ? archive : null;
  const validation = validateCatalog({
    catalog: values.get(CATALOG_FILE),
    keys: values.get(KEYS_FILE),
    releases: [...values]
      .filter(([file]) => file.startsWith(RELEASES_FOLDER))
      .map(([file, value]) => ({ file, value })),
    archived: stored?.releases ?? [],
  });
  if (errors.length === 0) {
    return validation.kind === "invalid" || stored === null
      ? validation
      : { kind: "valid", catalog: { ...validation.catalog, archive: stored.archive } };
  }
  // A file that could not be read is reported once, without the members it lacks.
  const unread = new Set(errors.map(({ file }) => file));
  const found = validation.kind === "invalid" ? validation.errors : [];
  return { kind: "invalid", errors: [...errors, ...found.filter(({ file }) => !unread.has(file))] };
}

function isRead(archive: ReadArchive | CatalogFileError): archive is ReadArchive {
  return "kind" in archive;
}

async function readManifest(
  catalog: Catalog,
  envelope: Buffer<ArrayBuffer>,
  now: number,
): Promise<CatalogReadResult> {
  const text = envelope.toString("utf8");
  const conflict = explainMergeConflict(text, catalog.archive !== undefined);
  if (conflict !== null) return invalid(MANIFEST_FILE, conflict.problem, conflict.remedy);
  // Expired or too long-lived is only a warning: it is still the manifest that was signed last.
  const opened = await openManifest(
    text,
    { keys: catalog.keys, product: catalog.settings.product },
    SIGNATURE_OPTIONS,
  );
  if (opened.kind !== "genuine") return invalidManifest(opened);
  const { keyId, payload } = opened;
  const signerError = checkSigner(opened, catalog.settings.signing);
  if (signerError !== null) return invalidManifest(signerError);
  const { errors, neverSigned, unsigned } = compareWithManifest(catalog, payload);
  if (errors.length > 0) return { kind: "invalid", errors };
  const altered = compareFiles(catalog, payload.files ?? [], sha256OfText);
  if (altered.length > 0) return { kind: "invalid", errors: altered };
  if (!hasSignedArchive(catalog, payload)) {
    const isMissing = catalog.archive === undefined;
    const problem = isMissing
      ? `is missing, although ${MANIFEST_FILE} names an archive`
      : "is not the archive that was signed";
    const error = archiveError(ARCHIVE_FILE, problem);
    return { kind: "invalid", errors: [error] };
  }
  const warnings = [...warnTimes(payload, now), ...neverSigned.map(warnNeverSigned)];
  if (unsigned.length > 0) {
    warnings.push(
      `${MANIFEST_FILE} does not have the latest state of ${unsigned.join(", ")}: run \`trellis release sign\``,
    );
  }
  return { kind: "loaded", catalog, manifest: { envelope, keyId, payload }, warnings };
}

function hasSignedArchive(catalog: Catalog, payload: ManifestPayload): boolean {
  try {
    return summariseCurrent(catalog, payload)?.sha256 === payload.archive?.sha256;
  } catch {
    // A line is not where the index says.
    return false;
  }
}

function invalidManifest(error: ManifestError): CatalogReadResult {
  const { problem, remedy } = explainManifestError(error);
  return invalid(MANIFEST_FILE, problem, remedy);
}

const verifySignature = promisify(verify);

/** A long payload is hashed outside the main thread. */
const SIGNATURE_OPTIONS: SignatureOptions = {
  verifyEd25519: (publicKey, signature, bytes) => {
    const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey).toString("base64url") };
    return verifySignature(null, bytes, createPublicKey({ key: jwk, format: "jwk" }), signature);
  },
};

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
