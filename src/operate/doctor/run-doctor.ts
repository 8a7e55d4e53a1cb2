import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import type {
  Configuration,
  EventsConfiguration,
  OperatorConfiguration,
  ReleaseConfiguration,
  SyncConfiguration,
} from "../../configuration/configuration-schema.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import { expectKeyOfHost } from "../../identity/key-of-host.ts";
import { toHostConfiguration } from "../../configuration/instance.ts";
import { loadInstances, type LoadedInstances } from "../../configuration/load-instances.ts";
import { StorageUnavailableError } from "../../database/database.ts";
import { compareServedRelease } from "../served/compare-release.ts";
import { checkPublicAddress, TIMEOUT_MS } from "./check-public-address.ts";
import { checkDataFolder } from "./check-data-folder.ts";
import { checkVersionControl, type InstanceKeyPlace } from "./check-version-control.ts";
import { diagnoseAddresses, diagnoseProxies } from "./diagnose-addresses.ts";
import { diagnoseEvents } from "./diagnose-events.ts";
import { diagnoseInstances, listInstanceAddresses, toSyncAddress } from "./diagnose-instances.ts";
import { diagnoseRelease } from "./diagnose-release.ts";
import { diagnoseSync } from "./diagnose-sync.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

export interface DoctorOptions {
  /** Where apps ask for releases, when it is not release.baseUrl: a CDN, or the address of tomorrow. */
  readonly compareWith?: string | undefined;
}

/** Runs all checks that apply to the configuration. Changes nothing. */
export async function runDoctor(
  configuration: Configuration,
  now: number,
  { compareWith }: DoctorOptions = {},
): Promise<Finding[]> {
  const { release, sync, events, operator, dataDir } = configuration;
  return [
    checkConfigurationFile(configuration.file),
    ...diagnoseProxies(configuration),
    ...checkDataFolder(dataDir),
    ...(await checkVersionControl(dataDir, listInstanceKeys(configuration))),
    ...(release ? await checkRelease(release, dataDir, now, compareWith) : []),
    ...(sync ? await checkSync(sync, await findInstances(sync, configuration), dataDir, now) : []),
    ...(events ? await checkEvents(events, dataDir, now) : []),
    ...(operator ? [await checkReadiness(operator.listen)] : []),
  ];
}

/** Each key file once, although services may share it. */
function listInstanceKeys({ sync, events }: Configuration): InstanceKeyPlace[] {
  const keys: InstanceKeyPlace[] = [];
  if (sync) keys.push({ service: "sync", instanceKeyFile: sync.instanceKeyFile });
  if (events && events.instanceKeyFile !== sync?.instanceKeyFile) {
    keys.push({ service: "events", instanceKeyFile: events.instanceKeyFile });
  }
  return keys;
}

async function checkRelease(
  release: ReleaseConfiguration,
  dataDir: string,
  now: number,
  compareWith: string | undefined,
): Promise<Finding[]> {
  const unfit = diagnoseAddresses(release);
  // What responds at an address that is wrong says nothing about the right one.
  const addresses = listReleaseAddresses(release).filter((address) =>
    unfit.every(({ subject }) => subject !== address.subject),
  );
  const findings = await diagnoseRelease(release, dataDir, now);
  const responses = (
    await Promise.all(addresses.map((address) => checkPublicAddress(address, now)))
  ).flat();
  findings.push(...unfit, ...responses);
  // An address that another service has would be reported twice.
  const served = responses.find(({ subject }) => subject === "release.baseUrl");
  const isServed = served !== undefined && served.level !== "error";
  if (compareWith !== undefined || isServed) {
    const place = { url: compareWith ?? release.baseUrl, isChecked: compareWith === undefined };
    findings.push(...(await compareServedRelease(release.catalog, place, release.feeds, now)));
  }
  return findings;
}

function listReleaseAddresses({ baseUrl, listen, smartDownload }: ReleaseConfiguration) {
  const { url, listen: selector } = smartDownload;
  return [
    {
      subject: "release.baseUrl",
      baseUrl,
      path: "/health",
      status: 200,
      listen: { key: "release.listen.port", port: listen.port },
    },
    {
      subject: "release.smartDownload.url",
      baseUrl: url,
      path: "/",
      status: 302,
      listen: { key: "release.smartDownload.listen.port", port: selector.port },
    },
  ];
}

/** A database that cannot be asked for its instances is checked as a store, which tells why. */
async function findInstances(
  sync: SyncConfiguration,
  configuration: Configuration,
): Promise<LoadedInstances | null> {
  try {
    return await loadInstances(sync, configuration);
  } catch (error) {
    if (error instanceof StorageUnavailableError) return null;
    throw error;
  }
}

async function checkSync(
  sync: SyncConfiguration,
  loaded: LoadedInstances | null,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const { port } = sync.listen;
  if (loaded === null) {
    return [
      ...(await diagnoseSync(sync, dataDir, now)),
      ...(await checkPublicAddress(toSyncAddress(sync, port), now)),
    ];
  }
  const { resolve } = toHostConfiguration(sync, dataDir);
  const addressed: Finding[] = [];
  for (const address of listInstanceAddresses(loaded, resolve, port)) {
    addressed.push(...(await checkPublicAddress(address, now)));
  }
  return [
    ...(await checkHostKey(sync)),
    ...(await diagnoseInstances(loaded.instances, resolve, now)),
    ...summarizeAddresses(addressed),
  ];
}

/** Only of a host in a database. */
async function checkHostKey(sync: SyncConfiguration): Promise<Finding[]> {
  if (sqlitePath(sync.store) !== undefined) return [];
  const subject = "sync host key";
  try {
    await expectKeyOfHost(sync);
    return [ok(subject, `${sync.hostKeyFile} is the one that seals the keys of the instances`)];
  } catch (error) {
    const remedy = "until this is fixed, `trellis serve` does not start";
    return [errorFinding(subject, (error as Error).message, remedy)];
  }
}

/** One line for all that are right. */
function summarizeAddresses(findings: readonly Finding[]): Finding[] {
  const right = findings.filter(({ level }) => level === "ok");
  const others = findings.filter(({ level }) => level !== "ok");
  if (right.length < 2) return [...findings];
  const message = `${right.length} public addresses lead to this server, which has the keys of their instances`;
  return [ok("instances, baseUrl", message), ...others];
}

async function checkEvents(
  events: EventsConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const { baseUrl, store, instanceKeyFile, listen } = events;
  const address = {
    subject: "events.baseUrl",
    baseUrl,
    path: EVENTS_ROUTES.getHealth.path,
    status: 200,
    listen: { key: "events.listen.port", port: listen.port },
    instance: { realm: "events", store, instanceKeyFile },
  } as const;
  return [
    ...(await diagnoseEvents(events, dataDir, now)),
    ...(await checkPublicAddress(address, now)),
  ];
}

function checkConfigurationFile(file: string | null): Finding {
  return file === null
    ? warning(
        "configuration",
        "there is no configuration file, so all defaults apply",
        "change to the folder that has one, name it with --config, or write one with `trellis init`",
      )
    : ok("configuration", `${file} is valid`);
}

/** Only a running server listens, so an address that does not respond is no error. */
async function checkReadiness({ host, port }: OperatorConfiguration["listen"]): Promise<Finding> {
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/readyz`;
  const subject = "operator.listen";
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 200
      ? ok(subject, `${url} says that every store can be written`)
      : errorFinding(
          subject,
          `${url} says that a store cannot be written`,
          "see its reason there, or `storage_unavailable` in the log",
        );
  } catch {
    return warning(subject, `${url} does not respond`, "start the service");
  }
}
