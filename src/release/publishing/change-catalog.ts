/** Every change of a catalogue takes these steps: lock, read, finish a killed change, decide, commit. */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import { isArchived, wasPublished, type Catalog } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { JOURNAL_FILE, releaseFile } from "../../rules/release/catalog-files.ts";
import { validateCatalog } from "../../rules/release/validate-catalog.ts";
import type { FilePort } from "../catalog/file-port.ts";
import {
  commitChange,
  rollForward,
  type CommitResult,
  type FileChange,
} from "../catalog/journal.ts";
import { explainLockFailure, lockCatalog, type CatalogLock } from "../catalog/lock-catalog.ts";
import type { LoadedManifest } from "../catalog/opened-catalog.ts";
import type { CatalogReader } from "../catalog/read-catalog.ts";
import { maxBytesOf } from "../catalog/read-folder.ts";
import { findTrackedJournal } from "./tracked-files.ts";

export interface CatalogContext {
  readonly folder: string;
  /** Of the folder. */
  readonly reader: CatalogReader;
  readonly keysFolder: string;
  readonly files: FilePort;
  now(): number;
  /** How long to wait for another process that changes the catalogue. */
  readonly lockWaitMs: number;
  /** Called once when another process changes the catalogue. */
  readonly onWait?: () => void;
}

/** The message says why the change is impossible and what to do. */
export interface PublishingError {
  readonly kind: "refused";
  readonly message: string;
  readonly errors: readonly CatalogFileError[];
  /** Lines that follow the message. */
  readonly problems: readonly string[];
}

export function publishingError(
  message: string,
  errors: readonly CatalogFileError[] = [],
  problems: readonly string[] = [],
): PublishingError {
  return { kind: "refused", message, errors, problems };
}

export interface CatalogState {
  readonly catalog: Catalog;
  readonly manifest: LoadedManifest | null;
  readonly warnings: readonly string[];
  readonly now: number;
}

export type Decision<T> =
  | { readonly kind: "change"; readonly changes: readonly FileChange[]; readonly result: T }
  | PublishingError;

export type ChangeResult<T> =
  | {
      readonly kind: "done";
      readonly result: T;
      /** Set when the change is committed, but not all of its files are written yet. */
      readonly notice: string | null;
    }
  | PublishingError;

export async function changeCatalog<T>(
  context: CatalogContext,
  decide: (state: CatalogState) => Decision<T> | Promise<Decision<T>>,
): Promise<ChangeResult<T>> {
  const { folder, lockWaitMs, onWait } = context;
  let lock: CatalogLock | null;
  try {
    lock = await lockCatalog(folder, { waitMs: lockWaitMs, onWait });
  } catch (error) {
    const state = await readForChange(context);
    if (state.kind === "refused") return state;
    return publishingError(explainLockFailure(folder, error));
  }
  if (lock === null) {
    return publishingError(
      `Another trellis process has been changing "${folder}" for ${Math.round(lockWaitMs / 1000)} seconds: wait until it is done and run the command again`,
    );
  }
  try {
    return await changeLocked(context, decide);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return publishingError(`Nothing was changed: ${explainSystemError(error)}`);
  } finally {
    lock.release();
  }
}

export async function readForChange(
  context: Pick<CatalogContext, "folder" | "reader" | "now">,
  extent?: "whole",
): Promise<({ kind: "loaded" } & CatalogState) | PublishingError> {
  const now = context.now();
  const result = await context.reader.read(now, extent);
  return result.kind === "loaded"
    ? { ...result, now }
    : invalidCatalog(context.folder, result.errors);
}

function invalidCatalog(folder: string, errors: readonly CatalogFileError[]): PublishingError {
  return publishingError(`The catalogue "${folder}" is not valid`, errors);
}

async function changeLocked<T>(
  context: CatalogContext,
  decide: (state: CatalogState) => Decision<T> | Promise<Decision<T>>,
): Promise<ChangeResult<T>> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const tracked = await findTrackedJournal(context.folder);
  if (tracked.length > 0) return invalidCatalog(context.folder, tracked);
  rollForward(context.folder, context.files);
  const decision = await decide(state);
  if (decision.kind === "refused") return decision;
  const long = decision.changes.find((change) => lengthAfter(change) > maxBytesOf(change.file));
  if (long !== undefined) {
    return publishingError(
      `${long.file} would have more than ${maxBytesOf(long.file)} bytes, which is more than readers accept: shorten the notes`,
    );
  }
  const commit = commitChange(context.folder, decision.changes, context.files);
  return { kind: "done", result: decision.result, notice: explainCommit(commit) };
}

function lengthAfter(change: FileChange): number {
  if ("isRemoved" in change) return 0;
  return ("offset" in change ? change.offset : 0) + Buffer.byteLength(change.content);
}

function explainCommit(commit: CommitResult): string | null {
  if (commit.kind === "written") return null;
  return `The change is recorded in ${JOURNAL_FILE} and in force, but its files could not all be written: ${explainSystemError(commit.cause)}. The next release command finishes it`;
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}

export function explainSystemError(error: unknown): string {
  if (!isSystemError(error)) return messageOf(error);
  const path = error.path === undefined ? "" : ` "${error.path}"`;
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return `there is no space left${path === "" ? "" : ` for${path}`}: free some and run the command again`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `this user may not write${path}: correct the permissions and run the command again`;
    default:
      return `${error.syscall}${path} failed (${error.code}): check the file system and run the command again`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether anything was ever published here. */
export function hasHistory(catalog: Catalog): boolean {
  return catalog.releases.some(wasPublished);
}

export function findRelease({ releases }: Catalog, version: string): SourceRelease | undefined {
  return releases.find((release) => release.version === version);
}

/** `wanted` is the status that the command works on: the message names releases of that status. */
export function unknownReleaseError(
  { releases }: Catalog,
  version: string,
  wanted: SourceRelease["status"] | "any",
): PublishingError {
  const known = releases
    .filter(({ status }) => wanted === "any" || status === wanted)
    .map((release) => release.version);
  const more = known.length > MAX_NAMED ? ", …" : "";
  const listed = `${known.slice(0, MAX_NAMED).join(", ")}${more}`;
  if (wanted === "draft") {
    const drafts = known.length === 0 ? "" : `, or name a draft (${listed})`;
    return publishingError(
      `There is no release ${version}: begin it with \`trellis release new ${version} --build N\`${drafts}`,
    );
  }
  const kind = wanted === "any" ? "release" : `${wanted} release`;
  return publishingError(
    known.length === 0
      ? `There is no release ${version}, and no other ${kind}`
      : `There is no release ${version}: name a ${kind} (${listed}); \`trellis release list\` shows all`,
  );
}

/** The number of releases that a message names. */
const MAX_NAMED = 5;

export function noTimeError(text: string): PublishingError {
  return publishingError(
    `"${text}" is not a time: write it as RFC 3339, such as 2026-01-31T12:00:00Z`,
  );
}

export function withRelease(catalog: Catalog, release: SourceRelease): Catalog {
  return {
    ...catalog,
    releases: catalog.releases.map((item) => (item.version === release.version ? release : item)),
  };
}

/** The errors that the catalogue would have with this release in place of the one it has. */
export function errorsWith(catalog: Catalog, release: SourceRelease): readonly CatalogFileError[] {
  const { settings, keys, releases } = withRelease(catalog, release);
  const isInArchive = (item: SourceRelease) =>
    item !== release && isArchived(catalog, item.version);
  const result = validateCatalog({
    catalog: settings,
    keys,
    releases: releases
      .filter((item) => !isInArchive(item))
      .map((value) => ({ file: releaseFile(value.version), value })),
    archived: releases.filter(isInArchive),
  });
  return result.kind === "invalid" ? result.errors : [];
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
