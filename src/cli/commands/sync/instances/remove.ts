import { resolveInstance } from "../../../../configuration/instance.ts";
import { removeInstanceData } from "../../../../hosting/move-instance.ts";
import { defineCommand } from "../../../command.ts";
import { confirmOrFail, YES_OPTION } from "../../../prompts.ts";
import { changeInstance, expectInstance, expectRegistry } from "./registry.ts";
import { useSuspended } from "./use-suspended.ts";

export const command = defineCommand({
  description:
    "Deletes the store, the key and the folder of an instance for good: make a backup first with `trellis sync backup FILE --instance NAME --with-key`. Devices keep what they have. A running server may go on serving the other instances.",
  arguments: { name: { description: "The instance", required: true } },
  options: { ...YES_OPTION },
  examples: ["trellis sync instance remove ada --yes"],
  async run(context) {
    const { name } = context.args;
    const instances = await expectRegistry(context);
    const { sync, dataDir, loaded } = instances;
    const settings = expectInstance(loaded?.instances ?? {}, name);
    const instance = resolveInstance(name, settings, sync, dataDir);
    await confirmOrFail(
      context,
      `This deletes the instance "${name}" at ${settings.baseUrl} with everything in "${instance.dataDir}", and no backup is made`,
    );
    await useSuspended(instances, instance, () => removeInstanceData(instance, sync.store));
    await changeInstance(instances, name, () => undefined);
    context.print(`Removed the instance "${name}"`);
    context.json({ name, removed: true });
  },
});
