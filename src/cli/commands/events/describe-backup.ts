/** What a backup says of itself, for people. */
import type { EventsManifest } from "../../../events/maintenance/backup-format.ts";
import { countOf } from "../../count-of.ts";
import { formatBytes } from "../../format-bytes.ts";

export function describeBackup(manifest: EventsManifest): string[] {
  const { events, counts, usernames } = manifest;
  const names = usernames.map((name) => `"${name}"`).join(", ");
  return [
    `Made        ${manifest.createdAt} by Trellis ${manifest.product}`,
    `Accounts    ${usernames.length === 0 ? "none" : names}`,
    `Events      ${events.live.toLocaleString("en-US")} live, ${events.deleted.toLocaleString("en-US")} deleted`,
    `Sources     ${countOf(counts.events_sources, "source")}, ${countOf(counts.events_subscriptions, "subscription")}`,
    `Apps        ${countOf(counts.events_grants, "connected app")}`,
    `Digest      ${manifest.sha256}`,
    `Size        ${formatBytes(manifest.fileBytes)}`,
    manifest.instanceKey === null
      ? "Not in it   the instance key, signed-in browsers: keep the key file apart, passwords and calendar addresses are sealed under it"
      : "Not in it   signed-in browsers: they sign in again; the instance key is in it, under your passphrase",
  ];
}
