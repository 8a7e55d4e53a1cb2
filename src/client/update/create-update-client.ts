import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import type { UpdateFacts } from "../../rules/release/evaluate-update.ts";
import { createSerialize } from "../serialize.ts";
import { checkForUpdate, type UpdateCheckResult } from "./check-for-update.ts";
import { downloadArtifact, type DownloadOptions } from "./download-artifact.ts";
import type { DownloadResult } from "./download-result.ts";
import { fetchHint, type HintResult } from "./fetch-hint.ts";
import { fetchHistory, type HistoryResult } from "./fetch-history.ts";
import { fetchReleaseFiles, type ReleaseFilesResult } from "./fetch-release-files.ts";
import { readUpdateSettings, type UpdateClientOptions } from "./settings.ts";

/** Options of each request of the update client; abort the signal to end it. */
export interface RequestOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/**
 * Checks for updates that the maker of the app signed, and downloads them. Installing a file is left to the
 * app.
 */
export interface UpdateClient {
  /** Decides by the signed manifest alone. */
  check(options?: RequestOptions): Promise<UpdateCheckResult>;
  /** Pass only the artifact of a check's `update-available`: its digest is signed. */
  download(artifact: ReleaseArtifact, options: DownloadOptions): Promise<DownloadResult>;
  /**
   * What the offered release publishes for other updaters, such as SHA-512 digests, exactly as its maker
   * signed it: an app compares what its own updater reads in a feed. Pass the result of a check.
   */
  files(update: SignedUpdate, options?: RequestOptions): Promise<ReleaseFilesResult>;
  /** Every release that there was, with those that are too old for the manifest: for a page that lists them. */
  history(options?: RequestOptions): Promise<HistoryResult>;
  /** The service's unsigned decision: a reason to check, never a reason to install. */
  hint(options?: RequestOptions): Promise<HintResult>;
}

export type SignedUpdate = Pick<UpdateFacts, "release" | "filesSha256">;

/**
 * Makes an update client for one copy of an app. It throws on an invalid option; every later failure is a
 * result.
 * @returns the client
 * @example
 * ```ts
 * import { createMemoryStorage, createUpdateClient, noteToText } from "trellis/client";
 *
 * const updates = createUpdateClient({
 *   baseUrl: "https://releases.example.com",
 *   product: "habits",
 *   keys: { "2026": "mC1hHcaNUFC6xRmbr1LYoVHlj1fIFLrqjAdBYgRh6gE" },
 *   platform: "windows",
 *   architecture: "x64",
 *   current: { version: "1.0.0", buildNumber: 100 },
 *   storage: createMemoryStorage(), // an app has one of its own, on the disk
 * });
 * const result = await updates.check();
 * if (result.kind === "update-available") {
 *   const { version, notes } = result.release;
 *   console.log(version, notes.added.map(noteToText));
 * }
 * ```
 */
export function createUpdateClient(options: UpdateClientOptions): UpdateClient {
  const settings = readUpdateSettings(options);
  const { stallTimeoutMs } = settings.limits;
  // Checks run one at a time: a slower one must not overwrite the stored state of a newer one.
  const serialize = createSerialize();
  return {
    check: ({ signal } = {}) => serialize(() => checkForUpdate(settings, signal)),
    download: (artifact, downloadOptions) =>
      downloadArtifact(artifact, downloadOptions, { fetch: settings.fetch, stallTimeoutMs }),
    files: (update, { signal } = {}) => fetchReleaseFiles(settings, update, signal),
    // It remembers the manifest as a check does.
    history: ({ signal } = {}) => serialize(() => fetchHistory(settings, signal)),
    hint: ({ signal } = {}) => fetchHint(settings, signal),
  };
}
