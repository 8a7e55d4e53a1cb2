import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type {
  InstancesByName,
  InstanceSettings,
} from "../../../../configuration/configuration-schema.ts";
import {
  changeRegistry,
  checkRegistry,
  isInDatabase,
  readRegistry,
} from "../../../../configuration/instance-registry.ts";
import { resolveInstance, type Instance } from "../../../../configuration/instance.ts";
import { hasInstance } from "../../../../database/named-instance.ts";
import {
  isMoveInterrupted,
  moveInstance,
  renameInstance,
} from "../../../../hosting/move-instance.ts";
import { sqlitePath } from "../../../../database/sqlite-path.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { renameRegistered } from "../../../../configuration/registry-rows.ts";
import { CommandError, defineCommand, option, UsageError } from "../../../command.ts";
import { existsError, expectInstanceName } from "./add.ts";
import { changeInstance, expectInstance, expectRegistry } from "./registry.ts";
import { useSuspended } from "./use-suspended.ts";

export const command = defineCommand({
  description:
    "Gives an instance another name, or moves it to the data folder of another server, such as one on another disk. Its devices stay signed in. A running server stops serving it meanwhile.",
  arguments: { name: { description: "The instance", required: true } },
  options: {
    rename: option("NAME", "The new name"),
    "base-url": option("URL", "The new public address; change it in the apps, too"),
    "to-data-dir": option("FOLDER", "The `dataDir` of the other server"),
  },
  examples: [
    "trellis sync instance move ada --rename ada-lovelace",
    "trellis sync instance move ada --to-data-dir /srv/second/data",
  ],
  async run(context) {
    const { name } = context.args;
    const { rename = name, "base-url": baseUrl, "to-data-dir": folder } = context.options;
    expectInstanceName(rename);
    const instances = await expectRegistry(context);
    const { sync, loaded } = instances;
    const dataDir = folder === undefined ? instances.dataDir : resolve(folder);
    const isSameRegistry = dataDir === instances.dataDir;
    if (rename === name && isSameRegistry) {
      throw new UsageError("Give the new name with --rename, or the folder with --to-data-dir");
    }
    if (!isSameRegistry && isInDatabase(sync)) {
      throw new UsageError(
        "On PostgreSQL an instance belongs to no machine, since every server of the database serves it: give --rename alone",
      );
    }
    const settings: InstanceSettings = {
      ...expectInstance(loaded?.instances ?? {}, name),
      ...(baseUrl !== undefined && { baseUrl }),
    };
    const from = resolveInstance(name, settings, sync, instances.dataDir);
    const to = resolveInstance(rename, settings, sync, dataDir);
    // The command was interrupted: what it had done is not done again.
    const isContinued = !isInDatabase(sync) && (await isMoveInterrupted(from, to));
    const add = (present: InstancesByName): InstancesByName => {
      const { [name]: _former, ...others } = present;
      const kept = isSameRegistry ? others : present;
      if (!Object.hasOwn(present, rename)) return { ...kept, [rename]: settings };
      if (!isContinued) throw existsError(rename);
      return kept;
    };
    const enter = async () => {
      await changeRegistry(dataDir, sync, add);
      if (!isSameRegistry) await changeInstance(instances, name, () => undefined);
    };
    // The registry is checked before any file is moved.
    checkRegistry(add((await readRegistry(dataDir, sync)) ?? {}), dataDir, sync);
    const move = () =>
      isInDatabase(sync)
        ? renameInstance(from, to, () => renameRegistered(sync.store, name, rename, settings))
        : moveInstance(from, to, enter);
    if (isContinued) {
      await move();
    } else {
      await expectMovable(from, to, sync.store);
      await useSuspended(instances, from, move);
    }
    context.print(
      isInDatabase(sync)
        ? `Renamed the instance "${name}" to "${rename}"`
        : `Moved the instance "${name}" to "${to.dataDir}"`,
    );
    if (settings.suspended) {
      context.print(`It is suspended: \`trellis sync instance resume ${rename}\` serves it`);
    }
    context.json({ name: rename, ...settings, folder: to.dataDir });
  },
});

async function expectMovable(from: Instance, to: Instance, store: string): Promise<void> {
  if (sqlitePath(store) === undefined) {
    if (!(await explainStoreErrors(() => hasInstance(store, to.name)))) return;
    throw new CommandError(
      `The database already has rows of an instance "${to.name}": choose another name, or add that instance again with \`trellis sync instance add ${to.name} --adopt\``,
    );
  }
  if (!existsSync(from.dataDir)) {
    throw new CommandError(
      `The folder "${from.dataDir}" of the instance does not exist: if a move was interrupted, run the same command again, which finishes it`,
    );
  }
  if (existsSync(to.dataDir)) {
    throw new CommandError(`There is already a folder "${to.dataDir}": move it away first`);
  }
}
