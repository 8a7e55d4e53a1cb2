import { instanceKeyId, type InstanceKeyRing } from "../../../identity/key-ring.ts";
import { changeKeyRing } from "../../../operate/change-key-ring.ts";
import { summarizeKeys } from "../../../operate/describe-key.ts";
import { CommandError, defineCommand, type Command } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount, formatTime } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { readSection } from "../../read-section.ts";
import { listKeyUsers } from "./key-users.ts";
import type { ManagedService } from "./managed-service.ts";

export function defineKeyDrop(service: ManagedService): Command {
  const { name } = service;
  return defineCommand({
    description: `Removes a retired key from the key file, for good. What devices hold of it is refused from then on, so that they sign in again, and backups made with it can no longer be checked. Drop a key that others may know at once, any other one when \`trellis ${name} key list\` says that no device needs it. Refuses to run while a server uses the store.`,
    arguments: { id: { description: "The retired key, as `key list` shows it", required: true } },
    options: PLAN_OPTIONS,
    examples: [`trellis ${name} key drop 3f2a9c10b7de`],
    async run(context) {
      const { id } = context.args;
      const { configuration, section } = await readSection(context, name);
      const path = section.instanceKeyFile;
      const now = Date.now();
      const changed = await explainStoreErrors(() =>
        changeKeyRing(
          path,
          listKeyUsers(service, configuration, path),
          async (ring, present): Promise<InstanceKeyRing | null> => {
            const dropped = expectRetired(ring, id, name);
            let devices = 0;
            for (const { service: user, database } of present) {
              devices += await user.countHolders(database, dropped.retiredAt, now);
            }
            const retiredAt = formatTime(dropped.retiredAt);
            const signedOut =
              devices === 0
                ? "no device needs it"
                : `${formatCount(devices, "device has", "devices have")} not renewed since and must sign in again`;
            const isConfirmed = await confirmPlan(context, {
              consequence: `This drops the retired key ${id}: ${signedOut}, and backups from before ${retiredAt} can no longer be checked`,
              details: [],
              plan: { id, retiredAt, devices },
            });
            if (!isConfirmed) return null;
            return { ...ring, retired: ring.retired.filter((old) => old !== dropped) };
          },
        ),
      );
      if (changed === null) return;
      context.print(`Dropped the key ${id}`);
      context.json({ dropped: id, key: summarizeKeys(changed) });
    },
  });
}

function expectRetired(ring: InstanceKeyRing, id: string, name: string) {
  if (instanceKeyId(ring.secret) === id) {
    throw new CommandError(
      `The key ${id} is in force: replace it with \`trellis ${name} key rotate\` first`,
    );
  }
  const found = ring.retired.find(({ secret }) => instanceKeyId(secret) === id);
  if (found !== undefined) return found;
  throw new CommandError(
    `There is no retired key "${id}": \`trellis ${name} key list\` shows those that exist`,
  );
}
