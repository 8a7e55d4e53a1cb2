import { resolve } from "node:path";
import { EVENTS_REALM } from "../../../events/store.ts";
import { restoreEvents, type EventsRestoreReport } from "../../../server/restore-events.ts";
import { agreeToRestore, RESTORE_OPTIONS } from "../../agree-to-restore.ts";
import { backupToJson } from "../../backup-to-json.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { explainingFileFailures } from "../../explain-file-failure.ts";
import { explainingStoreFailures } from "../../explain-store-failure.ts";
import { readPassphrase } from "../../key-passphrase.ts";
import { readSection } from "../../read-section.ts";
import { withEventsAdministration } from "./open-store.ts";

export const restoreCommand = defineCommand({
  summary: "Put a backup in the place of the events of its accounts",
  description:
    "Refuses while a server runs, and refuses a backup that is not sound before anything is touched. What was there is kept. Apps read everything again and none misses anything. An account that the store has keeps its password and its connected apps, so that what was changed or ended since stays so; accounts that only the store has are left alone.",
  arguments: { file: { description: "The backup", required: true } },
  options: RESTORE_OPTIONS,
  examples: ["trellis events restore /backup/events-2026-01-31.backup"],
  async run(context) {
    const file = resolve(context.args.file);
    const { section: events, configuration } = await readSection(context, "events");
    const { instanceKeyFile: keyPath } = events;
    const passphrase = await readPassphrase(context);
    const report = await explainingStoreFailures(() =>
      explainingFileFailures(() =>
        restoreEvents(
          { store: events.store, dataDir: configuration.dataDir },
          file,
          (manifest, present) =>
            agreeToRestore(
              context,
              { sealed: manifest.instanceKey, passphrase, realm: EVENTS_REALM, path: keyPath },
              `This puts ${countOf(manifest.events.live, "event")} of ${countOf(manifest.usernames.length, "account")} from ${manifest.createdAt} into a store with ${countOf(present.events.live, "event")} of ${countOf(present.accounts, "account")}`,
            ),
        ),
      ),
    );
    const lockedOut = await withEventsAdministration(context, async ({ administration }) => {
      const names: string[] = [];
      for (const { username } of await administration.listAccounts()) {
        if (!(await administration.hasUsablePassword(username))) names.push(username);
      }
      return names;
    });
    for (const line of describe(report, lockedOut)) context.print(line);
    const { manifest, replaced, ...counts } = report;
    context.json({
      backup: backupToJson(manifest),
      replaced: { accounts: replaced.accounts, events: replaced.events },
      ...counts,
      lockedOut,
    });
  },
});

function describe(report: EventsRestoreReport, lockedOut: readonly string[]): string[] {
  const { manifest, keptAt, addedAccounts, replacedAccounts, deletedEvents } = report;
  return [
    `Restored ${countOf(manifest.events.live, "event")} from ${manifest.createdAt}: ${countOf(addedAccounts, "account")} added, ${countOf(replacedAccounts, "account")} replaced, ${countOf(deletedEvents, "event")} deleted`,
    ...(keptAt === null ? [] : [`What was there before is at ${keptAt}`]),
    ...lockedOut.map(
      (username) =>
        `The password and the calendar addresses of "${username}" were sealed under another instance key: set a new one with \`trellis events account password --username ${username}\`, and subscribe again`,
    ),
  ];
}
