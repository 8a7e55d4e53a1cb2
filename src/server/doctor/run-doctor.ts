import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import type { Configuration } from "../configuration-schema.ts";
import { loadInstances } from "../instances/load-instances.ts";
import { checkVersionControl } from "./check-version-control.ts";
import { compareServedRelease } from "./compare-served-release.ts";
import { diagnoseAddresses, diagnoseProxies } from "./diagnose-addresses.ts";
import { diagnoseEvents } from "./diagnose-events.ts";
import { diagnoseInstances, listSyncAddresses } from "./diagnose-instances.ts";
import { diagnoseRelease } from "./diagnose-release.ts";
import { diagnoseSync } from "./diagnose-sync.ts";
import { fault, ok, warning, type Finding } from "./finding.ts";

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
    const origins = [
      { key: "release.baseUrl", url: `${release.baseUrl}/health`, status: 200 },
      { key: "release.smartDownload.url", url: `${release.smartDownload.url}/`, status: 302 },
    ].filter(({ key }) => unfit.every(({ subject }) => subject !== key));
    const responses = await Promise.all(
      origins.map(({ key, url, status }) => checkAddress(key, url, status, now)),
    );
    findings.push(...responses);
    // An address that another service has would be told twice.
    const isServed = responses.some(
      ({ subject, level }) => subject === "release.baseUrl" && level !== "fault",
    );
    if (compareWith !== undefined || isServed) {
      const served = { url: compareWith ?? release.baseUrl, isChecked: compareWith === undefined };
      findings.push(...(await compareServedRelease(release.catalog, served, release.feeds, now)));
    }
  }
  if (sync !== undefined) {
    const loaded = await loadInstances(sync, configuration);
    findings.push(
      ...(loaded === null
        ? await diagnoseSync(sync, dataDir, now)
        : await diagnoseInstances(loaded.instances, sync, dataDir, now)),
    );
    for (const { key, baseUrl } of listSyncAddresses(sync, loaded?.instances ?? null)) {
      findings.push(await checkAddress(key, `${baseUrl}/v1/health`, 200, now));
    }
  }
  if (events !== undefined) {
    const health = `${events.baseUrl}${EVENTS_ROUTES.getHealth.path}`;
    findings.push(
      ...(await diagnoseEvents(events, dataDir, now)),
      await checkAddress("events.baseUrl", health, 200, now),
    );
  }
  if (operator !== undefined) {
    const { host, port } = operator.listen;
    const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
    findings.push(await checkReadiness(`${address}/readyz`));
  }
  return findings;
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
      : [fault(subject, `${folder} cannot be used (${code})`, "give this user write access to it")];
  }
  const findings: Finding[] = [];
  if ((mode & 0o002) !== 0) {
    findings.push(
      fault(subject, `every user can write to ${folder}`, `run \`chmod o-w ${folder}\``),
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

const TIMEOUT_MS = 5000;
const MAX_CLOCK_SKEW_MS = 60_000;

/** Only a running server listens, so an address that does not respond is no fault. */
async function checkReadiness(url: string): Promise<Finding> {
  const subject = "operator.listen";
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 200
      ? ok(subject, `${url} says that every store can be written`)
      : fault(
          subject,
          `${url} says that a store cannot be written`,
          "see its reason there, or `storage_unavailable` in the log",
        );
  } catch {
    return warning(subject, `${url} does not respond`, "start the service");
  }
}

/** Whether a public address responds as the service would, and whether both clocks agree. */
async function checkAddress(
  subject: string,
  url: string,
  expectedStatus: number,
  now: number,
): Promise<Finding> {
  let response: Response;
  try {
    response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
  } catch {
    return warning(
      subject,
      `${url} cannot be reached from this machine`,
      "start the service; then check DNS, certificate and proxy",
    );
  }
  if (response.status !== expectedStatus) {
    return fault(
      subject,
      `${url} responded with status ${response.status}, expected ${expectedStatus}`,
      "check that the proxy forwards this address to Trellis with its path unchanged",
    );
  }
  const skew = Math.abs(Date.parse(response.headers.get("date") ?? "") - now);
  if (skew > MAX_CLOCK_SKEW_MS) {
    const seconds = Math.round(skew / 1000);
    return warning(subject, `its clock differs from this one by ${seconds} s`, "set both clocks");
  }
  return ok(subject, `${url} responds`);
}
