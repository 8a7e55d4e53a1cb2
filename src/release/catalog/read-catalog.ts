/** Reads and judges a catalogue folder: every file, the rules between them, and the manifest. */
import { statSync } from "node:fs";
import { parseDateTime } from "../../contract/date-time.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { isSettled, type Catalog } from "../../rules/release/catalog.ts";
import {
  compareWithManifest,
  type ManifestComparison,
} from "../../rules/release/compare-manifest.ts";
import {
  checkSignature,
  judgePayload,
  type ManifestProblem,
  type SignedBytes,
} from "../../rules/release/open-manifest.ts";
import { recognizePayload } from "../../rules/release/recognize-payload.ts";
import {
  CATALOG_FILE,
  KEYS_FILE,
  validateCatalog,
  type CatalogFault,
} from "../../rules/release/validate-catalog.ts";
import { explainManifestProblem } from "./explain-manifest.ts";
import { nodePrimitives } from "./ed25519.ts";
import { MANIFEST_FILE, RELEASES_FOLDER } from "./files.ts";
import { readFolder, type FolderReading } from "./read-folder.ts";

export interface LoadedManifest {
  /** The exact bytes of manifest.json: they are what is served. */
  readonly envelope: Uint8Array;
  readonly keyId: string;
  readonly payload: ManifestPayload;
}

export type CatalogReading =
  | {
      readonly kind: "loaded";
      readonly catalog: Catalog;
      readonly manifest: LoadedManifest | null;
      /** What does not stop the service but should be looked at. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "invalid"; readonly faults: readonly CatalogFault[] };

export async function readCatalog(folder: string, now: number): Promise<CatalogReading> {
  if (!isFolder(folder)) {
    const problem = "is not a folder that can be read";
    const remedy = "make a catalogue there with `trellis release init`, or correct its path";
    return { kind: "invalid", faults: [{ file: folder, path: "", problem, remedy }] };
  }
  const files = await readFolder(folder);
  const check = checkFiles(files);
  if (check.kind === "invalid") return check;
  const { catalog } = check;
  const envelope = files.get(MANIFEST_FILE);
  if (envelope?.kind !== "bytes") {
    return { kind: "loaded", catalog, manifest: null, warnings: warnUnsigned(catalog) };
  }
  return judgeManifest(catalog, envelope.bytes, now);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

type FilesCheck = ReturnType<typeof validateCatalog>;

function checkFiles(files: FolderReading): FilesCheck {
  const faults: CatalogFault[] = [];
  for (const file of [CATALOG_FILE, KEYS_FILE]) {
    if (files.has(file)) continue;
    const remedy = "restore it, or begin a catalogue with `trellis release init`";
    faults.push({ file, path: "", problem: "is missing", remedy });
  }
  const releases: { file: string; value: unknown }[] = [];
  for (const [file, content] of files) {
    if (content.kind === "fault") {
      faults.push({ file, path: "", problem: content.problem, remedy: content.remedy });
    } else if (content.kind === "json" && file.startsWith(RELEASES_FOLDER)) {
      releases.push({ file, value: content.value });
    }
  }
  const check = validateCatalog({
    catalog: valueOf(files, CATALOG_FILE),
    keys: valueOf(files, KEYS_FILE),
    releases,
  });
  if (faults.length === 0) return check;
  // A file that could not be read has been named already; its missing fields are no news.
  const unread = new Set(faults.map(({ file }) => file));
  const found = check.kind === "invalid" ? check.faults : [];
  return { kind: "invalid", faults: [...faults, ...found.filter(({ file }) => !unread.has(file))] };
}

function valueOf(files: FolderReading, file: string): unknown {
  const content = files.get(file);
  return content?.kind === "json" ? content.value : undefined;
}

async function judgeManifest(
  catalog: Catalog,
  envelope: Uint8Array,
  now: number,
): Promise<CatalogReading> {
  const text = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength);
  const signed = await checkSignature(text.toString("utf8"), catalog.keys, nodePrimitives);
  if (signed.kind !== "signed") return invalidManifest(signed);
  const opened = openPayload(signed, catalog);
  if (opened.kind === "problem") return invalidManifest(opened.problem);
  const { payload } = opened;
  const comparison = opened.isCatalog ? NO_DIFFERENCE : compareWithManifest(catalog, payload);
  if (comparison.faults.length > 0) return { kind: "invalid", faults: comparison.faults };
  const warnings = warnExpiry(payload, now);
  if (comparison.unsigned.length > 0) {
    warnings.push(
      `${MANIFEST_FILE} does not have the latest state of ${comparison.unsigned.join(", ")}: run \`trellis release sign\``,
    );
  }
  const manifest = { envelope, keyId: signed.keyId, payload };
  return { kind: "loaded", catalog, manifest, warnings };
}

const NO_DIFFERENCE: ManifestComparison = { faults: [], unsigned: [] };

type OpenedPayload =
  | { readonly kind: "opened"; readonly payload: ManifestPayload; readonly isCatalog: boolean }
  | { readonly kind: "problem"; readonly problem: ManifestProblem };

function openPayload(signed: SignedBytes, catalog: Catalog): OpenedPayload {
  const bytes = Buffer.from(signed.bytes.buffer, signed.bytes.byteOffset, signed.bytes.byteLength);
  const same = recognizePayload(bytes.toString("utf8"), catalog);
  if (same !== null) return { kind: "opened", payload: same, isCatalog: true };
  const { keys, settings } = catalog;
  // Expiry is judged apart: an expired manifest is still the one that was signed last.
  const trust = { keys, product: settings.product, highestSequence: 0, now: -Infinity };
  const outcome = judgePayload(signed, trust, nodePrimitives);
  return outcome.kind === "verified"
    ? { kind: "opened", payload: outcome.payload, isCatalog: false }
    : { kind: "problem", problem: outcome };
}

function invalidManifest(found: ManifestProblem): CatalogReading {
  const { problem, remedy } = explainManifestProblem(found);
  return { kind: "invalid", faults: [{ file: MANIFEST_FILE, path: "", problem, remedy }] };
}

function warnUnsigned(catalog: Catalog): string[] {
  return catalog.releases.some(isSettled)
    ? [
        `There is no ${MANIFEST_FILE}, so clients cannot verify a release: run \`trellis release sign\``,
      ]
    : [];
}

const DAY_MS = 86_400_000;
const EARLY_WARNING_MS = 7 * DAY_MS;

function warnExpiry(payload: ManifestPayload, now: number): string[] {
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
