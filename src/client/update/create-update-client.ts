/** The update client that an app embeds: it needs `fetch` and WebCrypto, and it logs nothing. */
import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import { checkForUpdate, type UpdateCheck } from "./check-for-update.ts";
import { downloadArtifact, type DownloadOptions } from "./download-artifact.ts";
import type { DownloadResult } from "./download-outcome.ts";
import { fetchHint, type HintResult } from "./fetch-hint.ts";
import { readUpdateSettings, type UpdateClientOptions } from "./settings.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export interface UpdateClient {
  /** The signed truth: what this app should do, or that nothing could be proved. */
  check(options?: RequestOptions): Promise<UpdateCheck>;
  /** Takes the artifact of a check's `update-available`, and nothing from anywhere else. */
  download(artifact: ReleaseArtifact, options: DownloadOptions): Promise<DownloadResult>;
  /** What the service says without a signature: a reason to check, never a reason to install. */
  hint(options?: RequestOptions): Promise<HintResult>;
}

/** Throws on a wrong setting; after that, everything that can go wrong is an outcome. */
export function createUpdateClient(options: UpdateClientOptions): UpdateClient {
  const settings = readUpdateSettings(options);
  const { stallTimeoutMs } = settings.limits;
  // One check at a time, so that a slower one cannot save over what a newer one has learned.
  let lastCheck: Promise<unknown> = Promise.resolve();
  return {
    check: ({ signal } = {}) => {
      const check = lastCheck.then(() => checkForUpdate(settings, signal));
      lastCheck = check.catch(() => {});
      return check;
    },
    download: (artifact, downloadOptions) =>
      downloadArtifact(artifact, downloadOptions, { fetch: settings.fetch, stallTimeoutMs }),
    hint: ({ signal } = {}) => fetchHint(settings, signal),
  };
}
