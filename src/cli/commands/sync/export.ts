import { resolve } from "node:path";
import { exportEntities } from "../../../sync/maintenance/export-entities.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { explainingFileFailures } from "../../explain-file-failure.ts";
import { withStore } from "./open-store.ts";

export const exportCommand = defineCommand({
  summary: "Write everything that is live as readable JSON",
  description: "For looking at and for taking along; a backup is what can be restored.",
  arguments: { file: { description: "A new file", required: true } },
  examples: ["trellis sync export habits.json"],
  async run(context) {
    const file = resolve(context.args.file);
    const entities = await withStore(context, ({ database }) =>
      explainingFileFailures(() => exportEntities(database, file, Date.now())),
    );
    context.print(`Wrote ${countOf(entities, "entity", "entities")} to ${file}`);
    context.json({ file, entities });
  },
});
