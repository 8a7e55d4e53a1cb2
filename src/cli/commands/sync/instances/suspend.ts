import { defineCommand, type Command } from "../../../command.ts";
import { changeInstance, expectRegistry } from "./registry.ts";

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
  "A running server ends its requests within seconds. Devices stay signed in, keep their changes and come back later; nothing is removed.",
  "Suspended",
);

export const resumeInstanceCommand = defineSuspension(
  false,
  "A running server serves the instance again within a second; devices notice within an hour.",
  "Resumed",
);
