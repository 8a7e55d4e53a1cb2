import { rotateKeyRing } from "../../../identity/key-ring.ts";
import { changeKeyRing } from "../../../operate/change-key-ring.ts";
import { describeKeys, summarizeKeys } from "../../../operate/describe-key.ts";
import { RETIRED_KEY_LIFETIME_MS } from "../../../sync/devices/refresh-keys.ts";
import { defineCommand, type Command } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount, formatTime } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { readSection } from "../../read-section.ts";
import { listKeyUsers } from "./key-users.ts";
import type { ManagedService } from "./managed-service.ts";

export function defineKeyRotate(service: ManagedService): Command {
  const { name, descriptions } = service;
  return defineCommand({
    description: `Makes a new instance key and seals the store with it. ${descriptions.rotate} The old key stays in the key file as a retired one, so that backups made with it can still be verified and restored; \`trellis ${name} key drop\` drops it. Refuses to run while a server uses the store. A command that is killed leaves a store that starts, and the next start completes the rotation.`,
    options: PLAN_OPTIONS,
    examples: [`trellis ${name} key rotate --dry-run`, `trellis ${name} key rotate --yes`],
    async run(context) {
      const { configuration, section } = await readSection(context, name);
      const path = section.instanceKeyFile;
      const users = listKeyUsers(service, configuration, path);
      const now = Date.now();
      let services: string[] = [];
      const changed = await explainStoreErrors(() =>
        changeKeyRing(path, users, async (ring, present) => {
          services = present.map((user) => user.service.name);
          let [retiredAt, holders] = [now, 0];
          for (const { service: user, database } of present) {
            retiredAt = Math.max(retiredAt, (await user.readLastIssue(database)) + 1);
            holders += await user.countHolders(database, Number.MAX_SAFE_INTEGER, now);
          }
          const { id } = summarizeKeys(ring);
          const until = formatTime(retiredAt + RETIRED_KEY_LIFETIME_MS);
          const isConfirmed = await confirmPlan(context, {
            consequence: `This replaces the instance key ${id} of ${services.join(" and ")}`,
            details: [
              holders > 0 &&
                `  ${formatCount(holders, "device stays", "devices stay")} signed in; what they hold of the old key is accepted until ${until}`,
              "  Forms that a browser has open must be loaded again",
              `  The key file is ${path}`,
            ],
            plan: { key: summarizeKeys(ring), services, devices: holders, acceptedUntil: until },
          });
          return isConfirmed ? rotateKeyRing(ring, now, retiredAt) : null;
        }),
      );
      if (changed === null) return;
      const key = summarizeKeys(changed);
      const [former] = key.retired;
      context.print(
        `The instance key of ${services.join(" and ")} is now ${describeKeys(key, now)}`,
        `${former?.id} is retired: drop it with \`trellis ${name} key drop ${former?.id}\` when no device and no backup needs it any more`,
        `Copy ${path} to where you keep it, and to every other server of the store before it starts`,
      );
      context.json({ key, services });
    },
  });
}
