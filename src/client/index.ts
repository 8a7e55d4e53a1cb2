/** `trellis/client`: what apps embed. */
export {
  createUpdateClient,
  type RequestOptions,
  type UpdateClient,
} from "./update/create-update-client.ts";
export { verifyManifest } from "./update/verify-manifest.ts";
export { createMemoryStorage, type UpdateStorage } from "./update/storage.ts";
export {
  DEFAULT_UPDATE_LIMITS,
  type UpdateClientOptions,
  type UpdateLimits,
} from "./update/settings.ts";
export type { UpdateCheck, UpdateProblem } from "./update/check-for-update.ts";
export type { UpdateFacts, UpdateJudgement } from "./update/judge-update.ts";
export type { HintOutcome, UpdateHint } from "./update/fetch-hint.ts";
export type { Fetch } from "./transport/exchange-text.ts";
export type { TransportProblem } from "./update/fetch-text.ts";
export type { ByteSource } from "./transport/byte-source.ts";
export type { DownloadOptions, DownloadSink, PartialDownload } from "./update/download-artifact.ts";
export type {
  DownloadComplete,
  DownloadIncomplete,
  DownloadOutcome,
  DownloadProblem,
  DownloadProgress,
} from "./update/download-outcome.ts";
export type {
  ManifestOutcome,
  ManifestProblem,
  ManifestTrust,
} from "../rules/release/open-manifest.ts";
export type { Release, ReleaseArtifact, WithdrawnRelease } from "../contract/release/schemas.ts";
