import { CommandError, defineCommand, UsageError } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { withAdministration } from "./open-store.ts";

export const devicesRevokeCommand = defineCommand({
  summary: "Sign a device out, or all of them",
  description:
    "From the next request on. What the device holds already stays on it; nothing is removed from the store.",
  arguments: { id: { description: "The device, as `devices list` shows it", isId: true } },
  options: { all: { type: "boolean", description: "Every device" } },
  examples: ["trellis sync devices revoke phone-1", "trellis sync devices revoke --all"],
  async run(context) {
    const { id } = context.args;
    const isAll = context.options.all;
    if ((id === undefined) === !isAll) throw new UsageError("Name one device, or give --all");
    const revoked = await withAdministration(context, async (administration) => {
      if (id === undefined) return administration.revokeAllDevices();
      return (await administration.revokeDevice(id)) ? 1 : 0;
    });
    if (id !== undefined && revoked === 0) {
      throw new CommandError(`No device "${id}" is signed in: see \`trellis sync devices list\``);
    }
    context.print(`Signed ${countOf(revoked, "device")} out`);
    context.json({ revoked });
  },
});
