import { resolve } from "node:path";
import { exportToFile } from "../../../sync/log/export-entities.ts";
import { defineCommand } from "../../command.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";
import { withSyncStore } from "./open-store.ts";

export const command = defineCommand({
  description:
    "An export is for reading and for other programs. It cannot be restored: use `trellis sync backup` for that. Of sealed data, each field has its value and revision, and `trellis sync open` opens it.",
  arguments: { file: { description: "A file that does not exist yet", required: true } },
  examples: ["trellis sync export habits.json"],
  async run(context) {
    const file = resolve(context.args.file);
    const entities = await withSyncStore(context, "read", ({ operations }) =>
      explainFileErrors(() => exportToFile(operations, file, Date.now())),
    );
    context.print(`Wrote ${formatCount(entities, "entity", "entities")} to ${file}`);
    context.json({ file, entities });
  },
});
