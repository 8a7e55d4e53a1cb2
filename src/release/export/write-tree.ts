/**
 * An export folder has `trees/<digest>` and `current`, a link to one of them that is replaced by a
 * rename: readers see the old tree or the new one, and a killed writer leaves the old one. The previous
 * tree is kept for a web server that has not loaded the new rules yet.
 */
import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isLink } from "../catalog/file-port.ts";

export const MARKER_FILE = ".trellis-export.json";
export const CURRENT_LINK = "current";
export const TREES_FOLDER = "trees";
const MARKER = { kind: "trellis-release-export", schemaVersion: 1 };
/** Younger trees may belong to another export that is running. */
const MIN_REMOVAL_AGE_MS = 3_600_000;

export interface TreeFile {
  /** The path has no leading slash. */
  readonly path: string;
  readonly body: string | Uint8Array;
}

/** A foreign folder has files that no export wrote. */
export function writeTree(
  folder: string,
  digest: string,
  files: readonly TreeFile[],
  now: number,
): "written" | "unchanged" | "foreign-folder" {
  if (!claimFolder(folder)) return "foreign-folder";
  const tree = join(folder, TREES_FOLDER, digest);
  const before = currentTree(folder);
  if (before === digest && isFolder(tree)) return "unchanged";
  const time = timeAfterTrees(folder, now);
  // A folder of that name was renamed into place, so it is complete.
  if (!isFolder(tree)) {
    const draft = join(folder, TREES_FOLDER, `draft-${randomBytes(6).toString("hex")}`);
    writeFiles(draft, files, time);
    renameSync(draft, tree);
  }
  // The age of a tree counts from now on, not from its first use.
  utimesSync(tree, time, time);
  const link = join(folder, `${CURRENT_LINK}-${randomBytes(6).toString("hex")}`);
  symlinkSync(join(TREES_FOLDER, digest), link, "dir");
  renameSync(link, join(folder, CURRENT_LINK));
  removeOldTrees(folder, new Set([digest, before]), now);
  return "written";
}

/** False when the folder has files that no export wrote. */
function claimFolder(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) return false;
  const names = stats === undefined ? [] : readdirSync(folder);
  if (names.includes(MARKER_FILE)) {
    // Trees are written and deleted in these, so a link would lead out of the folder.
    return !isLink(join(folder, TREES_FOLDER)) && hasMarker(folder);
  }
  if (names.length > 0) return false;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, MARKER_FILE), `${JSON.stringify(MARKER)}\n`, { flag: "wx" });
  return true;
}

function hasMarker(folder: string): boolean {
  const path = join(folder, MARKER_FILE);
  try {
    const marker: unknown = JSON.parse(readFileSync(path, "utf8"));
    return !isLink(path) && JSON.stringify(marker) === JSON.stringify(MARKER);
  } catch {
    return false;
  }
}

function currentTree(folder: string): string | null {
  try {
    return basename(readlinkSync(join(folder, CURRENT_LINK)));
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A web server's validator is a file's size and time in seconds, so no two trees share a second. */
function timeAfterTrees(folder: string, now: number): number {
  const trees = join(folder, TREES_FOLDER);
  const names = isFolder(trees) ? readdirSync(trees) : [];
  const modified = (name: string) =>
    statSync(join(trees, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(secondsOf(now), ...names.map((name) => secondsOf(modified(name)) + 1));
}

function secondsOf(instant: number): number {
  return Math.floor(instant / 1000);
}

function writeFiles(folder: string, files: readonly TreeFile[], time: number): void {
  const made = new Set<string>();
  for (const { path, body } of files) {
    const target = join(folder, path);
    const parent = dirname(target);
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true });
      made.add(parent);
    }
    writeFileSync(target, body, { flag: "wx" });
    utimesSync(target, time, time);
  }
}

function removeOldTrees(folder: string, kept: ReadonlySet<string | null>, now: number): void {
  for (const name of readdirSync(join(folder, TREES_FOLDER))) {
    const path = join(folder, TREES_FOLDER, name);
    const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (!kept.has(name) && age > MIN_REMOVAL_AGE_MS) rmSync(path, { recursive: true, force: true });
  }
}
