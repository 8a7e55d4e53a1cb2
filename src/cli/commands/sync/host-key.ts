/** The key of a host whose instances are in a PostgreSQL database. */
import type { SyncConfiguration } from "../../../configuration/configuration-schema.ts";
import { createDirectory, useDirectory } from "../../../database/named-instance.ts";
import { sqlitePath } from "../../../database/sqlite-path.ts";
import { claimKeyOfHost } from "../../../identity/key-of-host.ts";
import { applyHostKey, rotateHostKey } from "../../../identity/host-key.ts";
import { CommandError, defineCommand, type CommandContext } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { readSection } from "../../read-section.ts";

export const createHostKeyCommand = defineCommand({
  description:
    "Makes the file `sync.hostKeyFile`, as the first `trellis sync instance add` does. The keys of all instances in the database are sealed under it, so copy it to each machine of the host, and to where you keep such keys: without it, and without backups with keys, no password and no session can be used any more.",
  async run(context) {
    const sync = await expectDatabase(context);
    const id = await explainStoreErrors(() => claimKeyOfHost(sync));
    context.print(
      `The host's key is ${id}, in ${sync.hostKeyFile}: copy it to each machine of this host`,
    );
    context.json({ id, file: sync.hostKeyFile });
  },
});

export const rotateHostKeyCommand = defineCommand({
  description:
    "Adds a new key to the file of the host's key. The database goes on with the former key, so that no machine stops: copy the file to each of them, then run `trellis sync host-key apply`.",
  options: PLAN_OPTIONS,
  async run(context) {
    const sync = await expectDatabase(context);
    await confirmPlan(context, {
      consequence: `This adds a new key to ${sync.hostKeyFile}, which each machine of this host needs before it is applied`,
      plan: { file: sync.hostKeyFile },
    });
    const rotated = await explainStoreErrors(() =>
      useDirectory(sync.store, async (directory) => {
        await createDirectory(directory);
        return rotateHostKey(directory, sync.hostKeyFile);
      }),
    );
    context.print(
      `The host's key will be ${rotated.next}, in the place of ${rotated.former}: copy ${sync.hostKeyFile} to each machine of this host, then run \`trellis sync host-key apply\``,
    );
    context.json(rotated);
  },
});

export const applyHostKeyCommand = defineCommand({
  description:
    "Seals the keys of all instances with the newest key in the file of the host's key, in one transaction; servers go on. A machine whose file lacks that key cannot open instances any more, and says so. The former key stays in the file, for a database that is restored from before.",
  options: PLAN_OPTIONS,
  async run(context) {
    const sync = await expectDatabase(context);
    await confirmPlan(context, {
      consequence: `This seals the keys of all instances under the newest key of ${sync.hostKeyFile}: a machine whose file lacks it opens no instance any more`,
      plan: { file: sync.hostKeyFile },
    });
    const applied = await explainStoreErrors(() =>
      useDirectory(sync.store, async (directory) => {
        await createDirectory(directory);
        return directory.transaction((tx) => applyHostKey(tx, sync.hostKeyFile));
      }),
    );
    context.print(
      applied.sealed === 0
        ? `The keys of the instances are sealed under ${applied.id} already`
        : `Sealed the keys of ${formatCount(applied.sealed, "instance")} under ${applied.id}`,
    );
    context.json(applied);
  },
});

async function expectDatabase(
  context: Pick<CommandContext, "configuration">,
): Promise<SyncConfiguration> {
  const { section } = await readSection(context, "sync");
  if (sqlitePath(section.store) === undefined) return section;
  throw new CommandError(
    "This server has files, and the keys of its instances are in their folders: only a host on PostgreSQL has a key of its own",
  );
}
