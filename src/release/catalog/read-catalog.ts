/** Reads a catalogue folder and checks everything in it: the files, the history, the signed manifest. */
import { createPublicKey, verify } from "node:crypto";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import {
  ARCHIVE_FILE,
  ARCHIVE_INDEX_FILE,
  CATALOG_FILE,
  KEYS_FILE,
  MANIFEST_FILE,
  RELEASES_FOLDER,
} from "../../rules/release/catalog-files.ts";
import { checkSigner } from "../../rules/release/check-signer.ts";
import { compareWithManifest } from "../../rules/release/compare-manifest.ts";
import { compareFiles } from "../../rules/release/release-files.ts";
import {
  openManifest,
  type ManifestError,
  type SignatureOptions,
} from "../../rules/release/verify-manifest.ts";
import {
  validateCatalog,
  type CatalogValidationResult,
} from "../../rules/release/validate-catalog.ts";
import { warnAbout } from "./catalog-warnings.ts";
import { explainManifestError } from "./explain-manifest.ts";
import { explainMergeConflict } from "./merge-conflict.ts";
import type { LoadedManifest, OpenedCatalog } from "./opened-catalog.ts";
import { createFolderReader, type FolderContents } from "./read-folder.ts";
import { sha256OfText } from "./sha256-of-text.ts";
import { summariseCurrent } from "../archive/archive-content.ts";
import { archiveError } from "../archive/archive-error.ts";
import { createDamageSearch } from "../archive/find-damage.ts";
import {
  createArchiveReader,
  type ArchiveReader,
  type ReadArchive,
} from "../archive/read-archive.ts";

export type CatalogReadResult =
  | {
      readonly kind: "loaded";
      readonly catalog: Catalog;
      readonly manifest: LoadedManifest | null;
      /** What needs attention and does not stop the service. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "invalid"; readonly errors: readonly CatalogFileError[] };

export interface CatalogReader {
  /** `whole`: with every line of the archive, for who serves or signs it. Others read the line that they need. */
  read(now: number, extent?: "whole"): Promise<CatalogReadResult>;
}

export function readCatalog(folder: string, now: number): Promise<CatalogReadResult> {
  return createCatalogReader(folder).read(now);
}

export function readWholeCatalog(folder: string, now: number): Promise<CatalogReadResult> {
  return createCatalogReader(folder).read(now, "whole");
}

/** What did not change since it was read is not checked again: a command reads several times, under its lock too. */
export function createCatalogReader(folder: string): CatalogReader {
  const readFiles = createFolderReader(folder);
  const readArchive = createArchiveReader();
  const findDamage = createDamageSearch();
  let last:
    | { readonly files: FolderContents; readonly opened: OpenedCatalog | Invalid }
    | undefined;
  return {
    read: async (now, extent) => {
      if (!isFolder(folder)) {
        const remedy = "create a catalogue there with `trellis release init`, or correct its path";
        return invalid(folder, "is not a folder that can be read", remedy);
      }
      const files = await readFiles();
      if (last?.files !== files) last = { files, opened: await openCatalog(files, readArchive) };
      const { opened } = last;
      if (opened.kind === "invalid") return opened;
      const damage = extent === "whole" ? findDamage(opened.catalog) : null;
      if (damage !== null) return { kind: "invalid", errors: [damage] };
      const { catalog, manifest } = opened;
      return { kind: "loaded", catalog, manifest, warnings: warnAbout(opened, now) };
    },
  };
}

type Invalid = Extract<CatalogReadResult, { kind: "invalid" }>;

async function openCatalog(
  files: FolderContents,
  readArchive: ArchiveReader,
): Promise<OpenedCatalog | Invalid> {
  const manifest = files.get(MANIFEST_FILE);
  // Both sides are in it, so it tells which one to take of the archive, too.
  const conflict =
    manifest?.kind === "bytes"
      ? explainMergeConflict(manifest.bytes.toString("utf8"), files.has(ARCHIVE_FILE))
      : null;
  if (conflict !== null) return invalid(MANIFEST_FILE, conflict.problem, conflict.remedy);
  const validation = validateFiles(files, readArchive);
  if (validation.kind === "invalid") return validation;
  const { catalog } = validation;
  return manifest?.kind === "bytes"
    ? readManifest(catalog, manifest.bytes)
    : { kind: "opened", catalog, manifest: null, neverSigned: [], unsigned: [] };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function invalid(file: string, problem: string, remedy: string): Invalid {
  return { kind: "invalid", errors: [{ file, path: "", problem, remedy }] };
}

function validateFiles(files: FolderContents, readArchive: ArchiveReader): CatalogValidationResult {
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
): Promise<OpenedCatalog | Invalid> {
  const text = envelope.toString("utf8");
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
  return { kind: "opened", catalog, manifest: { envelope, keyId, payload }, neverSigned, unsigned };
}

function hasSignedArchive(catalog: Catalog, payload: ManifestPayload): boolean {
  try {
    return summariseCurrent(catalog, payload)?.sha256 === payload.archive?.sha256;
  } catch {
    // A line is not where the index says.
    return false;
  }
}

function invalidManifest(error: ManifestError): Invalid {
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
