import { KeyFileError, readKeyRing } from "../../../identity/instance-key.ts";
import { describeKeys, summarizeKeys } from "../../../operate/describe-key.ts";
import { RETIRED_KEY_LIFETIME_MS } from "../../../sync/devices/refresh-keys.ts";
import { defineCommand, type Command } from "../../command.ts";
import { explainStoreErrors } from "../../explain-store-errors.ts";
import { formatCount, formatTime } from "../../format.ts";
import { readSection } from "../../read-section.ts";
import type { ManagedService } from "./managed-service.ts";

export function defineKeyList(service: ManagedService): Command {
  return defineCommand({
    description:
      "Shows ids and times, never a key: the one in force, and the retired ones with what still needs them.",
    async run(context) {
      const { section } = await readSection(context, service.name);
      const now = Date.now();
      const path = section.instanceKeyFile;
      const list = await service.withDatabase(context, (database) =>
        explainStoreErrors(async () => {
          const ring = readKeyRing(path);
          if (ring === null) throw new KeyFileError(`There is no instance key at "${path}"`);
          const { retired, ...key } = summarizeKeys(ring);
          const listed = retired.map(async (old) => {
            const retiredAt = Date.parse(old.retiredAt);
            return {
              ...old,
              acceptedUntil: formatTime(retiredAt + RETIRED_KEY_LIFETIME_MS),
              devices: await service.countHolders(database, retiredAt, now),
            };
          });
          return { key, retired: await Promise.all(listed) };
        }),
      );
      context.print(
        `In force  ${describeKeys({ ...list.key, retired: [] }, now)}, in ${path}`,
        ...list.retired.map(
          ({ id, retiredAt, devices, acceptedUntil }) =>
            `Retired   ${id}, since ${retiredAt}; ${devices === 0 ? "no device holds anything of it" : `${formatCount(devices, "device")} not renewed since, accepted until ${acceptedUntil}`}; it verifies older backups`,
        ),
      );
      context.json({ file: path, ...list });
    },
  });
}
