/** The catalogue in force: loaded once, swapped whole when the folder changes, never half. */
import { formatError, type CatalogFault } from "../rules/release/catalog-fault.ts";
import { createCatalogReader } from "./catalog/sketch-catalog.ts";
import { watchCatalog } from "./catalog/watch-catalog.ts";
import { prepareResponses, type PreparedResponses } from "./prepare-answers.ts";

export type CatalogNotice =
  | {
      readonly kind: "catalog-loaded";
      readonly releases: number;
      readonly sequence: number | null;
      readonly warnings: readonly string[];
      /** From the first file that was read to the last answer that was prepared. */
      readonly durationMs: number;
    }
  /** The last good catalogue stays in force. */
  | { readonly kind: "catalog-refused"; readonly faults: readonly string[] };

/** The message lists every fault: file, path in it, what is wrong, what to do. */
export class CatalogError extends Error {
  readonly faults: readonly CatalogFault[];

  constructor(folder: string, faults: readonly CatalogFault[]) {
    const lines = faults.map((fault) => `  ${formatError(fault)}`);
    super([`Cannot serve the catalogue "${folder}":`, ...lines].join("\n"));
    this.name = "CatalogError";
    this.faults = faults;
  }
}

export interface LiveCatalog {
  /** Settles after the first load; rejects with a CatalogError. */
  readonly ready: Promise<void>;
  answers(): PreparedResponses;
  close(): void;
}

export function loadCatalog(
  folder: string,
  now: () => number,
  onNotice: (notice: CatalogNotice) => void,
): LiveCatalog {
  const readCatalog = createCatalogReader(folder);
  let answers: PreparedResponses | undefined;
  let isClosed = false;

  function notify(notice: CatalogNotice): void {
    try {
      onNotice(notice);
    } catch {
      // Whoever listens must not keep the catalogue from following its folder.
    }
  }

  async function load(): Promise<readonly CatalogFault[]> {
    const startedAt = performance.now();
    const reading = await readCatalog(now());
    if (reading.kind === "invalid") return reading.faults;
    const { published, manifest, warnings } = reading;
    answers = prepareResponses(published, manifest?.envelope ?? null);
    notify({
      kind: "catalog-loaded",
      releases: published.summaries.length,
      sequence: manifest?.sequence ?? null,
      warnings,
      durationMs: Math.round(performance.now() - startedAt),
    });
    return [];
  }

  async function reload(): Promise<void> {
    if (isClosed) return;
    try {
      const faults = await load();
      if (faults.length > 0) notify({ kind: "catalog-refused", faults: faults.map(formatError) });
    } catch (error) {
      notify({ kind: "catalog-refused", faults: [`It cannot be read: ${String(error)}`] });
    }
  }

  const ready = load().then((faults) => {
    if (faults.length === 0) return;
    close();
    throw new CatalogError(folder, faults);
  });
  // One load after the other: a slow old one must not overwrite a newer one.
  let queue = ready.catch(() => {});
  // From the beginning: a change may come while the first load reads.
  let isReloadDue = false;
  const watcher = watchCatalog(folder, () => {
    if (isReloadDue) return;
    isReloadDue = true;
    queue = queue.then(() => {
      isReloadDue = false;
      return reload();
    });
  });

  function close(): void {
    isClosed = true;
    watcher.close();
  }

  return {
    ready,
    answers: () => {
      if (answers === undefined) throw new Error("The catalogue is not loaded yet");
      return answers;
    },
    close,
  };
}
