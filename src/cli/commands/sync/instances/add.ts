import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { INSTANCE_NAME_PATTERN } from "../../../../configuration/sync-section.ts";
import { adoptSingleStore, findSingleStore } from "../../../../hosting/adopt-store.ts";
import { changeRegistry, checkRegistry } from "../../../../configuration/instance-registry.ts";
import { resolveInstance, type Instance } from "../../../../configuration/instance.ts";
import { prepareInstance } from "../../../../hosting/instance-schema.ts";
import { CommandError, defineCommand, flag, option, UsageError } from "../../../command.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { applyOptions, INSTANCE_OPTIONS } from "./instance-options.ts";
import { expectRegistry, explainSettings, type InstancesContext } from "./registry.ts";

export const command = defineCommand({
  description:
    "A running server takes the instance up within a second; a server that has had one instance without a name must be restarted once. Create the account next, with `trellis sync account create --instance NAME`.",
  arguments: {
    name: { description: "Lower-case letters, digits and hyphens", required: true },
  },
  options: {
    "base-url": option("URL", "The public address, whose host no other instance has", {
      required: true,
    }),
    ...INSTANCE_OPTIONS,
    adopt: flag(
      "Take over the files that are in the instance's folder, or else the one instance that this server has had",
    ),
  },
  examples: ["trellis sync instance add ada --base-url https://ada.sync.example.com"],
  async run(context) {
    const { name } = context.args;
    expectInstanceName(name);
    const { adopt } = context.options;
    const instances = await expectRegistry(context);
    const { sync, dataDir, loaded } = instances;
    const settings = applyOptions({ baseUrl: context.options["base-url"] }, context.options);
    if (Object.hasOwn(loaded?.instances ?? {}, name)) throw existsError(name);
    // The registry is checked before any file is moved.
    await explainSettings("Nothing was added", async () =>
      checkRegistry({ ...loaded?.instances, [name]: settings }, dataDir, sync),
    );
    const instance = resolveInstance(name, settings, sync, dataDir);
    if (adopt) await adoptFiles(instance, instances);
    else await expectNothingToAdopt(instance, instances);
    // A server makes a store only in a folder that is there.
    await mkdir(instance.dataDir, { recursive: true, mode: 0o700 });
    await changeRegistry(dataDir, sync, (present) => {
      if (Object.hasOwn(present, name)) throw existsError(name);
      return { ...present, [name]: settings };
    });
    await explainStoreErrors(() => prepareInstance(instance, sync.store));
    context.print(
      `Added the instance "${name}" at ${settings.baseUrl}`,
      !adopt &&
        `Create its account: trellis sync account create --instance ${name} --username NAME`,
    );
    context.json({ name, ...settings, folder: instance.dataDir });
  },
});

const NAME = new RegExp(INSTANCE_NAME_PATTERN);

export function expectInstanceName(name: string): void {
  if (NAME.test(name)) return;
  throw new UsageError(
    `The name of an instance has 1 to 63 lower-case letters, digits and hyphens, and begins with no hyphen: not "${name}"`,
  );
}

export function existsError(name: string): CommandError {
  return new CommandError(
    `There is already an instance "${name}": change it with \`trellis sync instance change\`, or choose another name`,
  );
}

async function adoptFiles(instance: Instance, instances: InstancesContext): Promise<void> {
  if (existsSync(instance.sync.instanceKeyFile)) return;
  if ((await findUnnamedFile(instances)) === null) {
    throw new CommandError(
      `There is nothing to adopt: copy the folder of the instance to "${instance.dataDir}" first, or omit --adopt`,
    );
  }
  await explainStoreErrors(() => adoptSingleStore(instance, instances.sync, instances.dataDir));
}

/** The first named instance takes the place of the one without a name, whose devices would be lost. */
async function expectNothingToAdopt(
  instance: Instance,
  instances: InstancesContext,
): Promise<void> {
  if (existsSync(instance.sync.instanceKeyFile)) {
    throw new CommandError(
      `"${instance.dataDir}" has the files of an instance: use them with --adopt, or move them away`,
    );
  }
  const file = await findUnnamedFile(instances);
  if (file === null) return;
  throw new CommandError(
    `This server has one instance without a name, with its store at "${file}", which would not be served any more: make it the first named one with --adopt, or move the file away`,
  );
}

/** The store of the one instance without a name; null when there is none. */
async function findUnnamedFile({ loaded, sync }: InstancesContext): Promise<string | null> {
  const single =
    loaded === null ? await explainStoreErrors(() => findSingleStore(sync.store)) : null;
  if (single === null) return null;
  if (single.kind === "file") return single.path;
  throw new CommandError(
    "The database of `sync.store` has the tables of one instance without a name, which would not be served any more: back it up with `trellis sync backup FILE --with-key`, name another database in `sync.store`, add the instance there, and restore the backup with --instance",
  );
}
