/** Looks at everything a running Trellis depends on, and says what to do about what is wrong. */
import { EVENTS_ROUTES } from "../../contract/events/routes.ts";
import type { Configuration } from "../configuration.ts";
import { examineAddress } from "./examine-address.ts";
import { examineDataFolder } from "./examine-data-folder.ts";
import { examineEvents } from "./examine-events.ts";
import { examineRelease } from "./examine-release.ts";
import { examineSync } from "./examine-sync.ts";
import { ok, warning, type Finding } from "./finding.ts";

export async function examine(configuration: Configuration, now: number): Promise<Finding[]> {
  const { release, sync, events } = configuration;
  const findings = [
    examineConfiguration(configuration),
    ...examineDataFolder(configuration.dataDir),
  ];
  if (release !== undefined) {
    findings.push(...(await examineRelease(release, configuration.dataDir, now)));
    findings.push(
      ...(await Promise.all([
        examineAddress("release.baseUrl", `${release.baseUrl}/health`, 200, now),
        examineAddress("release.smartDownload.url", `${release.smartDownload.url}/`, 302, now),
      ])),
    );
  }
  if (sync !== undefined) {
    findings.push(...(await examineSync(sync, configuration.dataDir, now)));
    findings.push(await examineAddress("sync.baseUrl", `${sync.baseUrl}/v1/health`, 200, now));
  }
  if (events !== undefined) {
    findings.push(...(await examineEvents(events, configuration.dataDir, now)));
    const health = `${events.baseUrl}${EVENTS_ROUTES.getHealth.path}`;
    findings.push(await examineAddress("events.baseUrl", health, 200, now));
  }
  return findings;
}

function examineConfiguration({ file }: Configuration): Finding {
  return file === null
    ? warning("configuration", "there is no file; defaults are in force", "run `trellis init`")
    : ok("configuration", `${file} is valid`);
}
