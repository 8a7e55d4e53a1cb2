/** The checks of a server with many instances: only what needs attention is listed. */
import { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import type { InstancesByName, SyncConfiguration } from "../configuration-schema.ts";
import { resolveInstance } from "../instances/instance.ts";
import { nameInstance } from "../instances/name-instance.ts";
import type { CheckedAddress } from "./check-public-address.ts";
import { diagnoseSync } from "./diagnose-sync.ts";
import { ok, type Finding } from "./finding.ts";

export async function diagnoseInstances(
  instances: InstancesByName,
  sync: SyncConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let healthy = 0;
  for (const [name, settings] of Object.entries(instances)) {
    const instance = resolveInstance(name, settings, sync, dataDir);
    const found = await diagnoseSync(instance.sync, instance.dataDir, now);
    const notable = found.filter(({ level }) => level !== "ok");
    if (notable.length === 0) healthy++;
    findings.push(
      ...notable.map((finding) => ({
        ...finding,
        subject: `instance ${name}, ${finding.subject}`,
        message: nameInstance(finding.message, name),
        ...(finding.remedy !== undefined && { remedy: nameInstance(finding.remedy, name) }),
      })),
    );
  }
  const total = Object.keys(instances).length;
  return [ok("sync instances", `${healthy} of ${total} instances need no attention`), ...findings];
}

/** More addresses would take minutes when the network is down. */
const MAX_ADDRESSES = 20;

/** The public addresses that are worth a request; a suspended instance has none. */
export function listSyncAddresses(
  sync: SyncConfiguration,
  dataDir: string,
  instances: InstancesByName | null,
): CheckedAddress[] {
  const toAddress = (subject: string, { baseUrl, instanceKeyFile }: SyncConfiguration) => ({
    subject,
    baseUrl,
    path: SYNC_ROUTES.getHealth.path,
    status: 200,
    listen: { key: "sync.listen.port", port: sync.listen.port },
    instance: { realm: "sync", instanceKeyFile } as const,
  });
  if (instances === null) return [toAddress("sync.baseUrl", sync)];
  return Object.entries(instances)
    .filter(([, { suspended }]) => suspended !== true)
    .slice(0, MAX_ADDRESSES)
    .map(([name, own]) =>
      toAddress(`instance ${name}, baseUrl`, resolveInstance(name, own, sync, dataDir).sync),
    );
}
