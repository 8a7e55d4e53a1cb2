/** The checks of a server with many instances: only what needs attention is listed. */
import { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import type {
  InstancesByName,
  SyncServiceSettings,
} from "../../configuration/configuration-schema.ts";
import type { ResolveInstance } from "../../configuration/instance.ts";
import type { LoadedInstances } from "../../configuration/load-instances.ts";
import { nameInstance } from "../../configuration/name-instance.ts";
import type { CheckedAddress } from "./check-public-address.ts";
import { diagnoseSync } from "./diagnose-sync.ts";
import { ok, warning, type Finding } from "./finding.ts";

export async function diagnoseInstances(
  instances: InstancesByName,
  resolve: ResolveInstance,
  now: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let notableInstances = 0;
  for (const [name, settings] of Object.entries(instances)) {
    const { sync, dataDir } = resolve(name, settings);
    const found = await diagnoseSync(sync, dataDir, now);
    const notable = found.filter(({ level }) => level !== "ok");
    if (notable.length > 0) notableInstances++;
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
  const subject = "sync instances";
  const summary =
    notableInstances === 0
      ? ok(subject, `none of ${total} instances needs attention`)
      : warning(
          subject,
          `${notableInstances} of ${total} instances need attention`,
          "the next lines say what each one needs",
        );
  return [summary, ...findings];
}

/** More addresses would take minutes when the network is down. */
const MAX_ADDRESSES = 20;

type Addressed = Pick<SyncServiceSettings, "baseUrl" | "instanceKeyFile">;

export function toSyncAddress(
  { baseUrl, instanceKeyFile }: Addressed,
  port: number,
  subject = "sync.baseUrl",
  correction = `correct ${subject}`,
): CheckedAddress {
  return {
    subject,
    correction,
    baseUrl,
    path: SYNC_ROUTES.getHealth.path,
    status: 200,
    listen: { key: "sync.listen.port", port },
    instance: { realm: "sync", instanceKeyFile },
  };
}

/** The public addresses that are worth a request; a suspended instance has none. */
export function listInstanceAddresses(
  { source, instances }: LoadedInstances,
  resolve: ResolveInstance,
  port: number,
): CheckedAddress[] {
  const correctionOf = (name: string) =>
    source === "registry"
      ? `run \`trellis sync instance change ${name} --base-url URL\``
      : `correct sync.instances.${name}.baseUrl`;
  return Object.entries(instances)
    .filter(([, { suspended }]) => suspended !== true)
    .slice(0, MAX_ADDRESSES)
    .map(([name, own]) => {
      const { sync } = resolve(name, own);
      return toSyncAddress(sync, port, `instance ${name}, baseUrl`, correctionOf(name));
    });
}
