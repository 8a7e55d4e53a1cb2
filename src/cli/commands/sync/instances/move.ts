import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { InstanceSettings } from "../../../../server/configuration-schema.ts";
import { changeRegistry, readRegistry } from "../../../../server/instances/instance-registry.ts";
import { resolveInstance, type Instance } from "../../../../server/instances/instance.ts";
import { moveInstanceData } from "../../../../server/instances/move-instance.ts";
import { CommandError, defineCommand, option, UsageError } from "../../../command.ts";
import { existsError, expectInstanceName } from "./add.ts";
import {
  changeInstance,
  expectInstance,
  expectRegistry,
  type InstancesContext,
} from "./registry.ts";
import { useSuspended } from "./use-suspended.ts";

export const moveInstanceCommand = defineCommand({
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
    if (rename === name && dataDir === instances.dataDir) {
      throw new UsageError("Give the new name with --rename, or the folder with --to-data-dir");
    }
    const settings: InstanceSettings = {
      ...expectInstance(loaded?.instances ?? {}, name),
      ...(baseUrl !== undefined && { baseUrl }),
    };
    const from = resolveInstance(name, settings, sync, instances.dataDir);
    const to = resolveInstance(rename, settings, sync, dataDir);
    await expectFree(to, { ...instances, dataDir });
    await useSuspended(instances, from, async () => {
      if (existsSync(from.dataDir)) await moveInstanceData(from, to, sync.store);
      await register(instances, from, { ...instances, dataDir }, to, settings);
    });
    context.print(`Moved the instance "${name}" to "${to.dataDir}"`);
    context.json({ name: rename, ...settings, folder: to.dataDir });
  },
});

async function expectFree(to: Instance, { dataDir, sync }: InstancesContext): Promise<void> {
  const present = (await readRegistry(dataDir, sync)) ?? {};
  if (Object.hasOwn(present, to.name)) throw existsError(to.name);
  if (!existsSync(to.dataDir)) return;
  throw new CommandError(`There is already a folder "${to.dataDir}": move it away first`);
}

/** In one change where both names are in one registry; otherwise the new place comes first. */
async function register(
  source: InstancesContext,
  from: Instance,
  target: InstancesContext,
  to: Instance,
  settings: InstanceSettings,
): Promise<void> {
  const isSame = source.dataDir === target.dataDir;
  await changeRegistry(target.dataDir, target.sync, (present) => {
    const { [from.name]: _former, ...others } = present;
    return { ...(isSame ? others : present), [to.name]: settings };
  });
  if (!isSame) await changeInstance(source, from.name, () => undefined);
}
