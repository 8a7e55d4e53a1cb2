import { parseDateTime } from "../../../contract/date-time.ts";
import { compactLog } from "../../../sync/maintenance/compact.ts";
import {
  planPurge,
  purgeTombstones,
  type PurgePlan,
  type PurgeReport,
} from "../../../sync/maintenance/purge-tombstones.ts";
import { defineCommand, UsageError, type CommandContext } from "../../command.ts";
import { confirmOrStop, YES_OPTION } from "../../confirm.ts";
import { countOf } from "../../count-of.ts";
import { formatBytes } from "../../format-bytes.ts";
import { withStore } from "./open-store.ts";

export const compactCommand = defineCommand({
  summary: "Remove operations that later ones replaced",
  description:
    "Works beside a running server, and no device can notice it. With --purge-tombstones-before it also forgets what was deleted before that time: devices that were away for longer must start anew, and keep what they still have of it, so choose a time before which every device has synced.",
  options: {
    "purge-tombstones-before": {
      type: "string",
      value: "DATE",
      description: "Forget deletions received before it, such as 2025-01-31",
    },
    ...YES_OPTION,
  },
  examples: [
    "trellis sync compact",
    "trellis sync compact --purge-tombstones-before 2025-01-31 --yes",
  ],
  async run(context) {
    const text = context.options["purge-tombstones-before"];
    const before = text === undefined ? null : readDate(text);
    await withStore(context, async (store) => {
      const plan = before === null ? null : await planPurge(store.database, before);
      if (plan !== null) await confirmPurge(context, plan, context.options.yes);
      const compacted = await compactLog(store.database);
      context.print(
        `Removed ${countOf(compacted.removed, "operation")} of ${compacted.examined.toLocaleString("en-US")} (${formatBytes(compacted.removedBytes)}); the file shrank by ${formatBytes(compacted.freedBytes)}`,
      );
      // What compaction leaves is what a purge must move.
      const purged = plan === null ? null : await purgeTombstones(store, plan);
      if (purged !== null) context.print(describePurge(purged));
      context.json({ ...compacted, purge: purged });
    });
  },
});

async function confirmPurge(
  context: Pick<CommandContext, "isInteractive">,
  { tombstones, remaining }: PurgePlan,
  isYes: boolean,
): Promise<void> {
  if (tombstones.size === 0) return;
  await confirmOrStop(
    context,
    isYes,
    `This removes ${countOf(tombstones.size, "tombstone")}, ${countOf(remaining, "entity stays", "entities stay")}`,
  );
}

function describePurge(report: PurgeReport): string {
  return report.removedTombstones === 0
    ? "No tombstone is that old"
    : `Removed ${countOf(report.removedTombstones, "tombstone")}; ${countOf(report.remaining, "entity stays", "entities stay")}`;
}

/** A day stands for its beginning in UTC. */
function readDate(text: string): number {
  const time = parseDateTime(text) ?? parseDateTime(`${text}T00:00:00Z`);
  if (time === null) {
    throw new UsageError(
      `--purge-tombstones-before must be a date such as 2025-01-31, not "${text}"`,
    );
  }
  return time;
}
