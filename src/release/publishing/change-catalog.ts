/** Every change of a catalogue goes this way: lock, finish what was begun, read, decide, commit. */
import { JOURNAL_FILE } from "../../rules/release/catalog-files.ts";
import { wasPublished, type Catalog } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import {
  commitChange,
  rollForward,
  type CommitResult,
  type FileChange,
} from "../catalog/journal.ts";
import type { FilePort } from "../catalog/file-port.ts";
import { lockCatalog, type CatalogLock } from "../catalog/lock-catalog.ts";
import { readCatalog, type LoadedManifest } from "../catalog/read-catalog.ts";

export interface CatalogContext {
  /** The catalogue folder. */
  readonly folder: string;
  /** Where the private keys are. */
  readonly keysFolder: string;
  readonly files: FilePort;
  now(): number;
  /** How long to wait for another process that changes the catalogue. */
  readonly lockWaitMs: number;
  /** Told once when there is such a process. */
  onWait?(): void;
}

/** What was asked for cannot be done: the message says why and what to do. */
export interface PublishingError {
  readonly kind: "refused";
  readonly message: string;
  readonly faults: readonly CatalogFileError[];
}

export function refuse(message: string, faults: readonly CatalogFileError[] = []): PublishingError {
  return { kind: "refused", message, faults };
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

export type Change<T> =
  | {
      readonly kind: "done";
      readonly result: T;
      /** Set when the change has happened, but a part of it could not be finished yet. */
      readonly notice: string | null;
    }
  | PublishingError;

export async function changeCatalog<T>(
  bench: CatalogContext,
  decide: (state: CatalogState) => Decision<T> | Promise<Decision<T>>,
): Promise<Change<T>> {
  let lock: CatalogLock | null;
  try {
    lock = await lockCatalog(bench.folder, {
      waitMs: bench.lockWaitMs,
      ...(bench.onWait !== undefined && { onWait: bench.onWait }),
    });
  } catch (error) {
    const state = await readForChange(bench);
    if (state.kind === "refused") return state;
    return refuse(
      `Cannot lock "${bench.folder}" for a change (${reasonOf(error)}): make the folder writable for this user`,
    );
  }
  if (lock === null) {
    return refuse(
      `Another trellis process has been changing "${bench.folder}" for ${Math.round(bench.lockWaitMs / 1000)} seconds: wait until it is done and run the command again`,
    );
  }
  try {
    return await changeLocked(bench, decide);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refuse(`Nothing was changed: ${explainSystemError(error)}`);
  } finally {
    lock.release();
  }
}

/** The state of a valid catalogue, or a refusal that lists what is wrong with it. */
export async function readForChange(
  bench: Pick<CatalogContext, "folder" | "now">,
): Promise<({ kind: "loaded" } & CatalogState) | PublishingError> {
  const now = bench.now();
  const reading = await readCatalog(bench.folder, now);
  return reading.kind === "loaded"
    ? { ...reading, now }
    : refuse(`The catalogue "${bench.folder}" is not valid`, reading.errors);
}

async function changeLocked<T>(
  bench: CatalogContext,
  decide: (state: CatalogState) => Decision<T> | Promise<Decision<T>>,
): Promise<Change<T>> {
  rollForward(bench.folder, bench.files);
  const state = await readForChange(bench);
  if (state.kind === "refused") return state;
  const decision = await decide(state);
  if (decision.kind === "refused") return decision;
  const commit = commitChange(bench.folder, decision.changes, bench.files);
  return { kind: "done", result: decision.result, notice: explainCommit(commit) };
}

function explainCommit(commit: CommitResult): string | null {
  if (commit.kind === "written") return null;
  return `The change is recorded in ${JOURNAL_FILE} and in force, but its files could not all be written: ${explainSystemError(commit.cause)}. The next release command finishes it`;
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}

export function explainSystemError(error: unknown): string {
  if (!isSystemError(error)) return reasonOf(error);
  const place = error.path === undefined ? "" : ` "${error.path}"`;
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return `there is no space left for${place}: free some and run the command again`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `this user may not write${place}: correct the permissions and run the command again`;
    default:
      return `${error.syscall}${place} failed (${error.code}): check the file system and run the command again`;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether anything was ever published here. */
export function hasHistory(catalog: Catalog): boolean {
  return catalog.releases.some(wasPublished);
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
