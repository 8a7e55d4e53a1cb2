/** What a backup says of itself, for people. */
import type { SyncManifest } from "../../../sync/maintenance/backup.ts";
import { countOf } from "../../count-of.ts";
import { formatBytes } from "../../format-bytes.ts";

export function describeBackup(manifest: SyncManifest): string[] {
  const { entities, counts } = manifest;
  return [
    `Made        ${manifest.createdAt} by Trellis ${manifest.product}`,
    `Account     ${manifest.username === null ? "none" : `"${manifest.username}"`}`,
    `Entities    ${entities.live.toLocaleString("en-US")} live, ${entities.deleted.toLocaleString("en-US")} deleted, ${entities.awaiting.toLocaleString("en-US")} awaiting their create`,
    `Log         ${countOf(counts.sync_operations, "operation")}, head ${manifest.headOffset}, generation ${manifest.generation}`,
    `Digest      ${manifest.sha256}`,
    `Size        ${formatBytes(manifest.fileBytes)}`,
    manifest.instanceKey === null
      ? "Not in it   the instance key, devices' sessions: keep the key file apart, devices sign in again elsewhere"
      : "Not in it   devices' sessions: devices sign in again elsewhere; the instance key is in it, under your passphrase",
  ];
}
