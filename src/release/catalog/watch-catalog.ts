/** Reports that a catalogue folder may have changed; the listener reads it again. */
import { statSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { COMMON_FILES, JOURNAL_FILE, RELEASES_FOLDER } from "../../rules/release/catalog-files.ts";

export interface CatalogWatch {
  close(): void;
}

/** A change writes several files in quick succession; they are reported once. */
const QUIET_MS = 100;
/** Changes without a pause are reported after this time. */
const MAX_WAIT_MS = 1000;
/** Polling is for file systems without events, and for folders that are replaced. */
const POLL_MS = 2000;

export function watchCatalog(folder: string, onChange: () => void): CatalogWatch {
  let fingerprint = takeFingerprint(folder);
  let quiet: NodeJS.Timeout | undefined;
  let waitingSince: number | undefined;
  const schedule = () => {
    clearTimeout(quiet);
    waitingSince ??= performance.now();
    const waited = performance.now() - waitingSince;
    quiet = setTimeout(
      () => {
        waitingSince = undefined;
        fingerprint = takeFingerprint(folder);
        onChange();
      },
      Math.max(0, Math.min(QUIET_MS, MAX_WAIT_MS - waited)),
    ).unref();
  };
  const watchers = [folder, join(folder, RELEASES_FOLDER)].map((path) =>
    watchFolder(path, schedule),
  );
  const poll = setInterval(() => {
    for (const watcher of watchers) watcher.renew();
    if (takeFingerprint(folder) !== fingerprint) schedule();
  }, POLL_MS).unref();
  return {
    close: () => {
      clearTimeout(quiet);
      clearInterval(poll);
      for (const watcher of watchers) watcher.close();
    },
  };
}

interface FolderWatch extends CatalogWatch {
  /** Watches the path again when another folder is there now. */
  renew(): void;
}

function watchFolder(path: string, onEvent: () => void): FolderWatch {
  let watcher: FSWatcher | undefined;
  let watched = "";
  const close = () => {
    watcher?.close();
    watcher = undefined;
    watched = "";
  };
  const renew = () => {
    const present = identityOf(path);
    if (present === watched) return;
    close();
    if (present === "") return;
    try {
      watcher = watch(path, { persistent: false }, (_event, name) => {
        if (name === null || isWatched(name)) onEvent();
      });
      watcher.on("error", close);
      watched = present;
    } catch {
      // No events on this file system, or the folder is gone again: the poll sees the changes.
    }
  };
  renew();
  return { renew, close };
}

/** The lock and temporary files are skipped: a change ends with a rename. */
function isWatched(name: string): boolean {
  return !name.startsWith(".") || name === JOURNAL_FILE;
}

function identityOf(path: string): string {
  const stats = statIfPresent(path);
  return stats?.isDirectory() === true ? `${stats.dev}:${stats.ino}` : "";
}

/** A few files only: adding, removing or replacing a release changes the time of the releases folder. */
function takeFingerprint(folder: string): string {
  return [...COMMON_FILES, JOURNAL_FILE, RELEASES_FOLDER]
    .map((file) => {
      const stats = statIfPresent(join(folder, file));
      return stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
    })
    .join("|");
}

function statIfPresent(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
