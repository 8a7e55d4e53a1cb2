import { defineCommand, option, UsageError, type Command } from "../../../command.ts";
import { applyOptions, INSTANCE_OPTIONS } from "./instance-options.ts";
import { changeInstance, expectInstance, expectRegistry, explainSettings } from "./registry.ts";
import { resolveInstance } from "../../../../configuration/instance.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../../prompts.ts";
import { deleteInstance } from "./use-suspended.ts";

export const changeInstanceCommand = defineCommand({
  description:
    "A running server uses the new settings within a second. Options that are not given stay as they are.",
  arguments: { name: { description: "The instance", required: true } },
  options: {
    "base-url": option("URL", "The new public address; change it in the apps, too"),
    ...INSTANCE_OPTIONS,
  },
  examples: ["trellis sync instance change ada --quota-bytes 1000000000"],
  async run(context) {
    const { name } = context.args;
    const { options } = context;
    const isGiven = Object.keys({ "base-url": "", ...INSTANCE_OPTIONS }).some((key) => {
      const value = options[key as keyof typeof options];
      return Array.isArray(value) ? value.length > 0 : value !== undefined;
    });
    if (!isGiven) throw new UsageError("Name at least one setting to change");
    const instances = await expectRegistry(context);
    const changed = await explainSettings("Nothing was changed", () =>
      changeInstance(instances, name, (before) => applyOptions(before, options)),
    );
    context.print(`Changed the instance "${name}"`);
    context.json({ name, ...expectInstance(changed, name) });
  },
});

function defineSuspension(isSuspended: boolean, description: string, done: string): Command {
  return defineCommand({
    description,
    arguments: { name: { description: "The instance", required: true } },
    async run(context) {
      const { name } = context.args;
      const instances = await expectRegistry(context);
      await changeInstance(instances, name, ({ suspended: _former, ...settings }) =>
        isSuspended ? { ...settings, suspended: true } : settings,
      );
      context.print(`${done} the instance "${name}"`);
      context.json({ name, suspended: isSuspended });
    },
  });
}

export const suspendInstanceCommand = defineSuspension(
  true,
  "A running server ends its requests within seconds. Devices stay signed in, keep their changes and sync them later; nothing is removed.",
  "Suspended",
);

export const resumeInstanceCommand = defineSuspension(
  false,
  "A running server serves the instance again within a second; devices notice within an hour.",
  "Resumed",
);

export const removeInstanceCommand = defineCommand({
  description:
    "Deletes the store, the key and the folder of an instance for good: make a backup first with `trellis sync backup FILE --instance NAME --with-key`. Devices keep their data. A running server may continue to serve the other instances.",
  arguments: { name: { description: "The instance", required: true } },
  options: { ...PLAN_OPTIONS },
  examples: ["trellis sync instance remove ada --yes"],
  async run(context) {
    const { name } = context.args;
    const instances = await expectRegistry(context);
    const { sync, dataDir, loaded } = instances;
    const settings = expectInstance(loaded?.instances ?? {}, name);
    const instance = resolveInstance(name, settings, sync, dataDir);
    await confirmPlan(context, {
      consequence: `This deletes the instance "${name}" at ${settings.baseUrl} with everything in "${instance.dataDir}", and no backup is made`,
      details: ["Devices keep their data"],
      plan: { name, baseUrl: settings.baseUrl, folder: instance.dataDir },
    });
    await deleteInstance(instances, instance);
    context.print(`Removed the instance "${name}"`);
    context.json({ name, removed: true });
  },
});
