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
  const notables: NamedFinding[] = [];
  let notableInstances = 0;
  for (const [name, settings] of Object.entries(instances)) {
    const { sync, dataDir } = resolve(name, settings);
    const found = await diagnoseSync(sync, dataDir, now);
    const notable = found.filter(({ level }) => level !== "ok");
    if (notable.length > 0) notableInstances++;
    notables.push(...notable.map((finding) => ({ name, finding })));
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
  const alike = Map.groupBy(notables, ({ finding }) => JSON.stringify(finding));
  return [summary, ...[...alike.values()].flatMap(describeAlike)];
}

interface NamedFinding {
  readonly name: string;
  readonly finding: Finding;
}

/** Of thousands, `trellis sync instance list` has the rest. */
const MAX_NAMES = 50;

/** One line for all instances that need the same, such as a backup. */
function describeAlike(found: readonly NamedFinding[]): Finding[] {
  return found.slice(0, 1).map(({ name, finding: { remedy, ...finding } }) => {
    const isOne = found.length === 1;
    const named = found.slice(0, MAX_NAMES).map((each) => each.name);
    const names = [...named, ...(found.length > MAX_NAMES ? ["…"] : [])].join(", ");
    const toOwn = (text: string) => nameInstance(text, isOne ? name : "NAME");
    return {
      ...finding,
      subject: `${isOne ? `instance ${name}` : `${found.length} instances`}, ${finding.subject}`,
      message: `${toOwn(finding.message)}${isOne ? "" : `: ${names}`}`,
      ...(remedy !== undefined && { remedy: toOwn(remedy) }),
    };
  });
}

/** More addresses would take minutes when the network is down. */
const MAX_ADDRESSES = 20;

type Addressed = Pick<SyncServiceSettings, "baseUrl" | "store" | "instanceKeyFile" | "hostKeyFile">;

export function toSyncAddress(
  { baseUrl, store, instanceKeyFile, hostKeyFile }: Addressed,
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
    instance: { realm: "sync", store, instanceKeyFile, hostKeyFile },
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
