import { toHostConfiguration } from "../../../../configuration/instance.ts";
import { listInstances, type InstanceSummary } from "../../../../hosting/list-instances.ts";
import { defineCommand, flag } from "../../../command.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { formatAge, formatBytes, formatNumber, formatTable } from "../../../format.ts";
import { SEALED } from "../status.ts";
import { readInstances } from "./registry.ts";

export const command = defineCommand({
  description:
    "A server records devices and last use when it closes the instance, and every minute while it is open. An instance without such a record is read from its store.",
  options: {
    fresh: flag("Read every store now, which takes a few seconds per thousand instances"),
  },
  async run(context) {
    const { sync, dataDir, loaded } = await readInstances(context);
    const now = Date.now();
    const options = { isFresh: context.options.fresh, now };
    const list = await explainStoreErrors(() =>
      listInstances(loaded?.instances ?? {}, toHostConfiguration(sync, dataDir), options),
    );
    context.print(
      ...(list.length === 0
        ? ["There is no named instance: add one with `trellis sync instance add`"]
        : formatTable([HEADINGS, ...list.map((instance) => describe(instance, now))])),
    );
    if (list.some(({ isSealed }) => isSealed)) context.print(SEALED);
    for (const { name, error } of list) if (error !== null) context.print(`${name}: ${error}`);
    context.json({ instances: list });
  },
});

const HEADINGS = ["NAME", "STATE", "DEVICES", "SIZE", "LAST USE", "LAST BACKUP", "ADDRESS"];

function describe(instance: InstanceSummary, now: number): string[] {
  const { name, baseUrl, state, isSealed, hasAccount, lastUsedAt, quota, backup } = instance;
  const ageOf = (time: string) => formatAge(now - Date.parse(time));
  const withQuota = (text: string, limit: string | undefined) =>
    limit === undefined ? text : `${text} of ${limit}`;
  const { bytes, devices } = quota;
  return [
    name,
    isSealed ? `${state}, sealed` : state,
    hasAccount
      ? withQuota(
          formatNumber(instance.devices),
          devices === undefined ? devices : formatNumber(devices),
        )
      : "no account",
    withQuota(formatBytes(instance.bytes), bytes === undefined ? bytes : formatBytes(bytes)) +
      (instance.isUsedUp ? ", used up" : ""),
    lastUsedAt === null ? "never" : ageOf(lastUsedAt),
    `${backup.lastAt === null ? "none" : ageOf(backup.lastAt)}${backup.failingSince === null ? "" : ", failing"}`,
    baseUrl,
  ];
}
