/**
 * What every reading of a catalogue begins with: all files as they stood at one instant, the rules
 * of each release and between them, and a manifest whose signature holds. How much is kept of a
 * release is the reader's choice.
 */
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { KeyRing, SourceRelease } from "../../contract/release/catalog.ts";
import type { Catalog, ReleaseRecord } from "../../rules/release/catalog.ts";
import type { CatalogFault } from "../../rules/release/catalog-fault.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-file-names.ts";
import { checkSource, type CheckedSource } from "../../rules/release/check-source.ts";
import {
  artifactHostsOf,
  checkHistory,
  type CatalogCheck,
} from "../../rules/release/validate-catalog.ts";
import { explainManifestError } from "./explain-manifest.ts";
import type { ManifestError } from "../../rules/release/open-manifest.ts";
import { MANIFEST_FILE, RELEASES_FOLDER } from "./files.ts";
import { readFile, readFiles, type FolderMemory, type FolderReadResult } from "./read-folder.ts";
import {
  recognizeManifest,
  type MeasureRelease,
  type RecognizedManifest,
} from "./recognize-manifest.ts";
import { verifyEnvelope, type SignedEnvelope } from "./verify-envelope.ts";

export interface ReleaseKeeper<R extends ReleaseRecord> {
  /** What is kept of a release whose shape is right. */
  keep(source: SourceRelease): R;
  readonly measure: MeasureRelease<R>;
}

export interface OpenedManifest {
  /** The exact bytes of manifest.json: they are what is served. */
  readonly envelope: Buffer<ArrayBuffer>;
  readonly signed: SignedEnvelope;
  /** Null when the payload is not what this catalogue would be signed as. */
  readonly recognized: RecognizedManifest | null;
}

export interface InvalidCatalog {
  readonly kind: "invalid";
  readonly faults: readonly CatalogFault[];
}

export type OpenedCatalog<R extends ReleaseRecord> =
  | {
      readonly kind: "opened";
      readonly catalog: Catalog<R>;
      readonly manifest: OpenedManifest | null;
    }
  | InvalidCatalog;

interface KeptRelease<R extends ReleaseRecord> extends CheckedSource<R> {
  readonly kind: "release";
}

/** What an opening leaves for the next one of the same folder. */
export interface CatalogMemory<R extends ReleaseRecord> {
  readonly files: FolderMemory<KeptRelease<R>>;
  /** The hosts that the remembered releases were checked against. */
  hosts: readonly string[];
  /** The envelope that was found genuine, and the key that proved it. */
  verified: { envelope: Buffer; publicKey: string | undefined; signed: SignedEnvelope } | null;
}

export function createCatalogMemory<R extends ReleaseRecord>(): CatalogMemory<R> {
  return { files: new Map(), hosts: [], verified: null };
}

export async function openCatalog<R extends ReleaseRecord>(
  folder: string,
  keeper: ReleaseKeeper<R>,
  memory: CatalogMemory<R>,
): Promise<OpenedCatalog<R>> {
  if (!isFolder(folder)) {
    const problem = "is not a folder that can be read";
    const remedy = "make a catalogue there with `trellis release init`, or correct its path";
    return { kind: "invalid", faults: [{ file: folder, path: "", problem, remedy }] };
  }
  const files = await readReleases(folder, keeper, memory);
  // Each step may take a while for a long history; other work gets its turn between them.
  await setImmediate();
  const check = checkFiles(files);
  await setImmediate();
  if (check.kind === "invalid") return check;
  const { catalog } = check;
  const content = files.get(MANIFEST_FILE);
  if (content?.kind !== "bytes") return { kind: "opened", catalog, manifest: null };
  const envelope = content.bytes;
  const signed = await verifyOnce(envelope, catalog.keys, memory);
  if (signed.kind !== "signed") return invalidManifest(signed);
  const recognized = await recognizeManifest(signed.payload, catalog, keeper.measure);
  await setImmediate();
  return { kind: "opened", catalog, manifest: { envelope, signed, recognized } };
}

export function invalidManifest(found: ManifestError): InvalidCatalog {
  const { problem, remedy } = explainManifestError(found);
  return { kind: "invalid", faults: [{ file: MANIFEST_FILE, path: "", problem, remedy }] };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function verifyOnce<R extends ReleaseRecord>(
  envelope: Buffer<ArrayBuffer>,
  keys: KeyRing,
  memory: CatalogMemory<R>,
): Promise<SignedEnvelope | ManifestError> {
  const known = memory.verified?.envelope === envelope ? memory.verified : null;
  if (known !== null && keys[known.signed.keyId] === known.publicKey) return known.signed;
  // One that was verified before is being served, so only a copy of it may be worked upon.
  const verdict = await verifyEnvelope(known === null ? envelope : Buffer.from(envelope), keys);
  if (verdict.kind !== "signed") return verdict;
  const signed = known === null ? verdict : { ...verdict, payload: known.signed.payload };
  memory.verified = { envelope, publicKey: keys[signed.keyId], signed };
  return signed;
}

/** Releases are checked while they are read, so the hosts they may name must be known before. */
async function readReleases<R extends ReleaseRecord>(
  folder: string,
  keeper: ReleaseKeeper<R>,
  memory: CatalogMemory<R>,
): Promise<FolderReadResult<KeptRelease<R>>> {
  const settings = readFile(folder, CATALOG_FILE);
  expectHosts(memory, artifactHostsOf(settings?.kind === "json" ? settings.value : undefined));
  for (;;) {
    const { hosts } = memory;
    const files = await readFiles<KeptRelease<R>>(folder, memory.files, (file, content) => {
      if (content.kind !== "json" || !file.startsWith(RELEASES_FOLDER)) return content;
      const { release, faults } = checkSource(file, content.value, hosts);
      const kept = release === undefined ? undefined : keeper.keep(release);
      return { kind: "release", file, release: kept, faults };
    });
    const stated = artifactHostsOf(valueOf(files, CATALOG_FILE));
    if (sameHosts(stated, hosts)) return files;
    // They changed in between, or a journal has others: what was checked against them is void.
    expectHosts(memory, stated);
  }
}

function expectHosts<R extends ReleaseRecord>(
  memory: CatalogMemory<R>,
  hosts: readonly string[],
): void {
  if (sameHosts(memory.hosts, hosts)) return;
  memory.hosts = hosts;
  memory.files.clear();
}

function sameHosts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((host, index) => host === b[index]);
}

function checkFiles<R extends ReleaseRecord>(
  files: FolderReadResult<KeptRelease<R>>,
): CatalogCheck<R> {
  const faults: CatalogFault[] = [];
  for (const file of [CATALOG_FILE, KEYS_FILE]) {
    if (files.has(file)) continue;
    const remedy = "restore it, or begin a catalogue with `trellis release init`";
    faults.push({ file, path: "", problem: "is missing", remedy });
  }
  const releases: KeptRelease<R>[] = [];
  for (const [file, content] of files) {
    if (content.kind === "fault") {
      faults.push({ file, path: "", problem: content.problem, remedy: content.remedy });
    } else if (content.kind === "release") {
      releases.push(content);
    }
  }
  const check = checkHistory({
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

function valueOf<R extends ReleaseRecord>(
  files: FolderReadResult<KeptRelease<R>>,
  file: string,
): unknown {
  const content = files.get(file);
  return content?.kind === "json" ? content.value : undefined;
}
