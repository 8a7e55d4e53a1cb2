import { COPIED_EVENTS, COPIED_SYNC } from "../../../server/copied-services.ts";
import { isMissingFile } from "../../../server/leased-store.ts";
import { migrateStore } from "../../../server/migrate-store.ts";
import { CommandError, defineCommand } from "../../command.ts";
import { explainStoreErrors, tellUpgrade } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";
import { confirmOrFail, YES_OPTION } from "../../prompts.ts";

export const storeMigrateCommand = defineCommand({
  description:
    "After an upgrade of Trellis, changes the tables of the configured stores to this version. SQLite stores need no command: they are copied and migrated by the first start. A PostgreSQL database is migrated only here: back it up first, for example with pg_dump. All servers must be stopped.",
  options: YES_OPTION,
  examples: ["trellis store migrate", "trellis store migrate --yes"],
  async run(context) {
    const configuration = await context.configuration();
    const applied: Record<string, string[]> = {};
    for (const service of [COPIED_SYNC, COPIED_EVENTS]) {
      const section = configuration[service.name];
      // A store that is not there yet is made as this version has it.
      if (section === undefined || isMissingFile(section.store)) continue;
      applied[service.name] = await explainStoreErrors(() =>
        migrateStore(service, section.store, {
          onCopy: tellUpgrade(context).onUpgradeCopy,
          async confirm(pending, { dialect }) {
            const backup = dialect === "postgres" ? "; it must be backed up" : "";
            const count = formatCount(pending.length, "migration");
            const consequence = `This applies ${count} to the ${service.name} store${backup}`;
            await confirmOrFail(context, context.options.yes, consequence);
          },
        }),
      );
    }
    const names = Object.entries(applied);
    if (names.length === 0) {
      throw new CommandError(
        `The configuration "${configuration.file}" has no store of sync or events yet: there is nothing to migrate`,
      );
    }
    for (const [name, migrations] of names) {
      context.print(
        migrations.length === 0
          ? `The ${name} store is up to date`
          : `Applied to the ${name} store: ${migrations.join(", ")}`,
      );
    }
    context.json({ applied });
  },
});
