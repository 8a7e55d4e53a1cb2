/** The catalogue that is served: loaded once, and replaced as a whole when the folder changes. */
import { parseDateTime } from "../contract/date-time.ts";
import { formatFileError, type CatalogFileError } from "../rules/release/catalog-file-error.ts";
import { isPublished } from "../rules/release/catalog.ts";
import { createCatalogReader } from "./catalog/read-catalog.ts";
import { watchCatalog } from "./catalog/watch-catalog.ts";
import { prepareResponses, type PreparedResponses } from "./responses/prepare-responses.ts";

export type CatalogNotice =
  | {
      readonly kind: "catalog-loaded";
      readonly releases: number;
      readonly sequence: number | null;
      readonly warnings: readonly string[];
      /** The time from the first file that was read to the last response that was prepared. */
      readonly durationMs: number;
    }
  /** The last valid catalogue is still served. */
  | { readonly kind: "catalog-refused"; readonly errors: readonly string[] };

/** The message lists every error: file, path in it, what is wrong, what to do. */
export class CatalogError extends Error {
  /** What is wrong with which file, and what to do. */
  readonly errors: readonly CatalogFileError[];
  /** The same as lines for a person. */
  readonly lines: readonly string[];

  constructor(folder: string, errors: readonly CatalogFileError[]) {
    const lines = [
      `Cannot serve the catalogue "${folder}":`,
      ...errors.map((error) => `  ${formatFileError(error)}`),
    ];
    super(lines.join("\n"));
    this.lines = lines;
    this.name = "CatalogError";
    this.errors = errors;
  }
}

export interface LiveCatalog {
  /** Resolves after the first load; rejects with a CatalogError. */
  readonly ready: Promise<void>;
  responses(): PreparedResponses;
  /** Milliseconds since 1970; null without a manifest. */
  manifestExpiresAt(): number | null;
  close(): void;
}

export function loadCatalog(
  folder: string,
  now: () => number,
  onNotice: (notice: CatalogNotice) => void,
): LiveCatalog {
  const reader = createCatalogReader(folder);
  let responses: PreparedResponses | undefined;
  let manifestExpiresAt: number | null = null;
  let isClosed = false;

  function notify(notice: CatalogNotice): void {
    try {
      onNotice(notice);
    } catch {
      // A listener that throws must not stop the catalogue from following its folder.
    }
  }

  async function load(): Promise<readonly CatalogFileError[]> {
    const startedAt = performance.now();
    const result = await reader.read(now(), "whole");
    if (result.kind === "invalid") return result.errors;
    const { catalog, manifest, warnings } = result;
    responses = prepareResponses(catalog, manifest, now());
    manifestExpiresAt = manifest && parseDateTime(manifest.payload.expiresAt);
    notify({
      kind: "catalog-loaded",
      releases: catalog.releases.filter(isPublished).length,
      sequence: manifest?.payload.sequence ?? null,
      warnings,
      durationMs: Math.round(performance.now() - startedAt),
    });
    return [];
  }

  async function reload(): Promise<void> {
    if (isClosed) return;
    try {
      const errors = await load();
      if (errors.length > 0) {
        notify({ kind: "catalog-refused", errors: errors.map(formatFileError) });
      }
    } catch (error) {
      notify({ kind: "catalog-refused", errors: [`It cannot be read: ${String(error)}`] });
    }
  }

  const ready = load().then((errors) => {
    if (errors.length === 0) return;
    close();
    throw new CatalogError(folder, errors);
  });
  // Loads run one after the other, so that an old one cannot overwrite a newer one.
  let queue = ready.catch(() => {});
  // The folder is watched from the beginning: it may change during the first load.
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
    responses: () => {
      if (responses === undefined) throw new Error("The catalogue is not loaded yet");
      return responses;
    },
    manifestExpiresAt: () => manifestExpiresAt,
    close,
  };
}
