import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { InstancesByName, InstanceSettings } from "../../../../server/configuration-schema.ts";
import {
  changeRegistry,
  checkRegistry,
  readRegistry,
} from "../../../../server/instances/instance-registry.ts";
import { resolveInstance } from "../../../../server/instances/instance.ts";
import { moveInstanceData } from "../../../../server/instances/move-instance.ts";
import { CommandError, defineCommand, option, UsageError } from "../../../command.ts";
import { existsError, expectInstanceName } from "./add.ts";
import { changeInstance, expectInstance, expectRegistry } from "./registry.ts";
import { useSuspended } from "./use-suspended.ts";

export const command = defineCommand({
  description:
    "Gives an instance another name, or moves it to the data folder of another server, such as one on another disk. Its devices stay signed in. A running server stops serving it for that time.",
  arguments: { name: { description: "The instance", required: true } },
  options: {
    rename: option("NAME", "The new name"),
    "base-url": option("URL", "The new public address; apps must be told"),
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
    const settings: InstanceSettings = {
      ...expectInstance(loaded?.instances ?? {}, name),
      ...(baseUrl !== undefined && { baseUrl }),
    };
    const from = resolveInstance(name, settings, sync, instances.dataDir);
    const to = resolveInstance(rename, settings, sync, dataDir);
    const enter = (present: InstancesByName): InstancesByName => {
      if (Object.hasOwn(present, rename)) throw existsError(rename);
      const { [name]: _former, ...others } = present;
      return { ...(isSameRegistry ? others : present), [rename]: settings };
    };
    // The registry is checked before any file is moved.
    checkRegistry(enter((await readRegistry(dataDir, sync)) ?? {}), dataDir, sync);
    if (existsSync(to.dataDir)) {
      throw new CommandError(`There is already a folder "${to.dataDir}": move it away first`);
    }
    await useSuspended(instances, from, async () => {
      await moveInstanceData(from, to, sync.store);
      await changeRegistry(dataDir, sync, enter);
      if (!isSameRegistry) await changeInstance(instances, name, () => undefined);
    });
    context.print(`Moved the instance "${name}" to "${to.dataDir}"`);
    context.json({ name: rename, ...settings, folder: to.dataDir });
  },
});
