import { defineCommand, option, UsageError } from "../../../command.ts";
import { applyOptions, INSTANCE_OPTIONS } from "./instance-options.ts";
import { changeInstance, expectInstance, expectRegistry, explainSettings } from "./registry.ts";

export const command = defineCommand({
  description:
    "A running server uses the new settings within a second. Options that are not given stay as they are.",
  arguments: { name: { description: "The instance", required: true } },
  options: {
    "base-url": option("URL", "The public address; apps must be told the new one"),
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
