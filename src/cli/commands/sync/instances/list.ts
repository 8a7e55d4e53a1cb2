import { listInstances } from "../../../../server/instances/list-instances.ts";
import { defineCommand, flag } from "../../../command.ts";
import { explainStoreErrors } from "../../../explain-store-errors.ts";
import { formatBytes, formatCount } from "../../../format.ts";
import { readInstances } from "./registry.ts";

export const listInstancesCommand = defineCommand({
  description: "With --details every store is opened, which takes some seconds per thousand.",
  options: { details: flag("Also show whether there is an account, and how many devices") },
  async run(context) {
    const { sync, dataDir, loaded } = await readInstances(context);
    const list = await explainStoreErrors(() =>
      listInstances(loaded?.instances ?? {}, sync, dataDir, context.options.details),
    );
    if (list.length === 0) {
      context.print("There is no named instance: add one with `trellis sync instance add`");
    }
    for (const { name, baseUrl, suspended, bytes, quota, lastBackup, details } of list) {
      const size =
        quota.bytes === undefined
          ? formatBytes(bytes)
          : `${formatBytes(bytes)} of ${formatBytes(quota.bytes)}`;
      context.print(
        `${name}  ${baseUrl}${suspended ? "  suspended" : ""}`,
        `  ${size}, last backup ${lastBackup ?? "none"}${details === null ? "" : `, ${describe(details)}`}`,
      );
    }
    context.json({ instances: list });
  },
});

function describe(details: { readonly hasAccount: boolean; readonly devices: number }): string {
  if (!details.hasAccount) return "no account";
  return `${formatCount(details.devices, "device")} signed in`;
}
