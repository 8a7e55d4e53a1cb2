import { resolve } from "node:path";
import { exportToFile } from "../../../sync/log/export-entities.ts";
import { isSealedStore } from "../../../sync/sql/check-profile.ts";
import { defineCommand } from "../../command.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";
import { withSyncStore } from "./open-store.ts";

export const command = defineCommand({
  description:
    "An export is for reading and for other programs. It cannot be restored: use `trellis sync backup` for that. Sealed data is exported as the operations that devices sealed, with the list of keys; `trellis sync open` opens it.",
  arguments: { file: { description: "A file that does not exist yet", required: true } },
  examples: ["trellis sync export habits.json"],
  async run(context) {
    const file = resolve(context.args.file);
    const { entities, isSealed } = await withSyncStore(context, "read", async (store) => ({
      entities: await explainFileErrors(() => exportToFile(store, file, Date.now())),
      isSealed: await isSealedStore(store.database),
    }));
    context.print(
      `Wrote ${formatCount(entities, "entity", "entities")} to ${file}`,
      isSealed && "They are sealed: `trellis sync open` opens the file with the recovery key",
    );
    context.json({ file, entities });
  },
});
