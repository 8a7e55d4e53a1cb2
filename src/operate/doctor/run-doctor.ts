import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import type {
  Configuration,
  ReleaseConfiguration,
} from "../../configuration/configuration-schema.ts";
import { loadInstances } from "../../configuration/load-instances.ts";
import { checkPublicAddress, TIMEOUT_MS } from "./check-public-address.ts";
import { checkVersionControl } from "./check-version-control.ts";
import { compareServedRelease } from "./compare-served-release.ts";
import { diagnoseAddresses, diagnoseProxies } from "./diagnose-addresses.ts";
import { diagnoseEvents } from "./diagnose-events.ts";
import { diagnoseInstances, listSyncAddresses } from "./diagnose-instances.ts";
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
  const findings = [
    checkConfigurationFile(configuration),
    ...diagnoseProxies(configuration),
    ...checkDataFolder(dataDir),
    ...(await checkVersionControl(configuration)),
  ];
  if (release !== undefined) {
    const unfit = diagnoseAddresses(release);
    findings.push(...(await diagnoseRelease(release, dataDir, now)), ...unfit);
    // What responds at an address that is wrong says nothing about the right one.
    const origins = listReleaseAddresses(release).filter((address) =>
      unfit.every(({ subject }) => subject !== address.subject),
    );
    const responses = (
      await Promise.all(origins.map((address) => checkPublicAddress(address, now)))
    ).flat();
    findings.push(...responses);
    // An address that another service has would be told twice.
    const served = responses.find(({ subject }) => subject === "release.baseUrl");
    const isServed = served !== undefined && served.level !== "error";
    if (compareWith !== undefined || isServed) {
      const place = { url: compareWith ?? release.baseUrl, isChecked: compareWith === undefined };
      findings.push(...(await compareServedRelease(release.catalog, place, release.feeds, now)));
    }
  }
  if (sync !== undefined) {
    const loaded = await loadInstances(sync, configuration);
    findings.push(
      ...(loaded === null
        ? await diagnoseSync(sync, dataDir, now)
        : await diagnoseInstances(loaded.instances, sync, dataDir, now)),
    );
    for (const address of listSyncAddresses(sync, dataDir, loaded)) {
      findings.push(...(await checkPublicAddress(address, now)));
    }
  }
  if (events !== undefined) {
    const { baseUrl, instanceKeyFile, listen } = events;
    const address = {
      subject: "events.baseUrl",
      baseUrl,
      path: EVENTS_ROUTES.getHealth.path,
      status: 200,
      listen: { key: "events.listen.port", port: listen.port },
      instance: { realm: "events", instanceKeyFile },
    } as const;
    findings.push(
      ...(await diagnoseEvents(events, dataDir, now)),
      ...(await checkPublicAddress(address, now)),
    );
  }
  if (operator !== undefined) {
    const { host, port } = operator.listen;
    const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
    findings.push(await checkReadiness(`${address}/readyz`));
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

function checkConfigurationFile({ file }: Configuration): Finding {
  return file === null
    ? warning(
        "configuration",
        "there is no configuration file, so all defaults apply",
        "run `trellis init`",
      )
    : ok("configuration", `${file} is valid`);
}

/** A backup, a new manifest and a database's journal must still fit. */
const LOW_SPACE_BYTES = 100 * 1024 * 1024;

function checkDataFolder(folder: string): Finding[] {
  const subject = "data folder";
  let mode: number;
  try {
    mode = statSync(folder).mode;
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? [ok(subject, `${folder} will be created on first use`)]
      : [
          errorFinding(
            subject,
            `${folder} cannot be used (${code})`,
            "give this user write access to it",
          ),
        ];
  }
  const findings: Finding[] = [];
  if ((mode & 0o002) !== 0) {
    findings.push(
      errorFinding(subject, `every user can write to ${folder}`, `run \`chmod o-w ${folder}\``),
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LOW_SPACE_BYTES) {
    findings.push(warning(subject, "its disk has less than 100 MiB of free space", "free space"));
  }
  return findings.length > 0
    ? findings
    : [ok(subject, `${folder} is writable and has enough free space`)];
}

/** Only a running server listens, so an address that does not respond is no error. */
async function checkReadiness(url: string): Promise<Finding> {
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
