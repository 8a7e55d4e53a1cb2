import { parseDateTime } from "../../../contract/date-time.ts";
import { compactLog } from "../../../sync/maintenance/compact.ts";
import {
  planPurge,
  purgeTombstones,
  type PurgePlan,
  type PurgeReport,
} from "../../../sync/maintenance/purge-tombstones.ts";
import { defineCommand, option, UsageError } from "../../command.ts";
import { formatBytes, formatCount, formatNumber } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS, type Plan } from "../../prompts.ts";
import { withSyncStore } from "./open-store.ts";

export const command = defineCommand({
  description:
    "May run while a server runs, and devices notice nothing. With --purge-tombstones-before it also removes tombstones received before that time: every device then syncs from the start once, and a device that has not synced since that time keeps deleted entities that it still has. Choose a time since which every device has synced.",
  options: {
    "purge-tombstones-before": option(
      "DATE",
      "Also remove tombstones received before this date, such as 2025-01-31",
    ),
    ...PLAN_OPTIONS,
  },
  examples: [
    "trellis sync compact",
    "trellis sync compact --purge-tombstones-before 2025-01-31 --yes",
  ],
  async run(context) {
    const text = context.options["purge-tombstones-before"];
    const before = text === undefined ? null : readDate(text);
    await withSyncStore(context, "change", async (store) => {
      const plan = before === null ? null : await planPurge(store.database, before);
      if (context.options["dry-run"] || (plan?.tombstones.size ?? 0) > 0) {
        await confirmPlan(context, describePlan(plan));
      }
      const compacted = await compactLog(store.database);
      context.print(
        `Removed ${formatCount(compacted.removed, "operation")} of ${formatNumber(compacted.examined)} (${formatBytes(compacted.removedBytes)}); the file shrank by ${formatBytes(compacted.freedBytes)}`,
      );
      // The purge rewrites what remains in the log, so compaction comes first.
      const purged = plan === null ? null : await purgeTombstones(store, plan);
      if (purged !== null) context.print(describePurge(purged));
      context.json({ ...compacted, purge: purged });
    });
  },
});

function describePlan(purge: PurgePlan | null): Plan {
  const log = "superseded operations, of which devices notice nothing";
  if (purge === null) return { consequence: `This removes ${log}`, plan: { purge } };
  const { tombstones, remaining } = purge;
  return {
    consequence: `This removes ${formatCount(tombstones.size, "tombstone")}, ${formatCount(remaining, "entity remains", "entities remain")}`,
    details: [
      `It also removes ${log}`,
      tombstones.size > 0 && "Every device then syncs from the start once",
    ],
    plan: { purge: { tombstones: tombstones.size, remaining } },
  };
}

function describePurge(report: PurgeReport): string {
  return report.removedTombstones === 0
    ? "No tombstone is that old"
    : `Removed ${formatCount(report.removedTombstones, "tombstone")}; ${formatCount(report.remaining, "entity remains", "entities remain")}`;
}

/** A date without a time means midnight UTC. */
function readDate(text: string): number {
  const time = parseDateTime(text) ?? parseDateTime(`${text}T00:00:00Z`);
  if (time === null) {
    throw new UsageError(
      `--purge-tombstones-before must be a date such as 2025-01-31, not "${text}"`,
    );
  }
  return time;
}
