/** Whether a client should update: release contract, "Derived decision rules". */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Release, UpdateDecision } from "../../contract/release/schemas.ts";
import type { DistributionPlatform } from "../../contract/release/values.ts";
import { withChannel } from "./select-download.ts";
import { compareVersions } from "./version.ts";

export interface UpdateTarget {
  readonly version: string;
  readonly buildNumber: number;
  readonly mandatoryAfter: string | null;
}

/** A client's own coordinate: on the wire, its build has any length. */
export interface ClientCoordinate {
  readonly version: string;
  readonly buildNumber: number | bigint;
}

/** The rules that led to the decision; the command line shows them. */
export type UpdateRule =
  | "up-to-date"
  | "newer-build"
  | "newer-version"
  | "deadline-passed"
  | "deadline-ahead";

export interface UpdateResult {
  readonly updateAvailable: boolean;
  readonly mandatory: boolean;
  readonly rules: readonly UpdateRule[];
}

export function decideUpdate(
  current: ClientCoordinate,
  target: UpdateTarget,
  now: number,
): UpdateResult {
  const rules: UpdateRule[] = [];
  if (target.buildNumber > current.buildNumber) rules.push("newer-build");
  if (compareVersions(target.version, current.version) > 0) rules.push("newer-version");
  // Rule 1
  const updateAvailable = rules.length > 0;
  if (!updateAvailable) return { updateAvailable, mandatory: false, rules: ["up-to-date"] };
  // Rule 2
  const mandatory = deadlineHasPassed(target.mandatoryAfter, now);
  if (target.mandatoryAfter !== null) rules.push(mandatory ? "deadline-passed" : "deadline-ahead");
  return { updateAvailable, mandatory, rules };
}

/** The decision as the service sends it. */
export function toUpdateDecision<Current extends ClientCoordinate>(
  platform: DistributionPlatform,
  current: Current,
  { version, buildNumber, channel, minimumSupportedVersion }: Release,
  { updateAvailable, mandatory }: UpdateResult,
): Omit<UpdateDecision, "current"> & { readonly current: Current } {
  return {
    platform,
    updateAvailable,
    mandatory,
    current,
    target: { version, buildNumber },
    minimumSupportedVersion,
    download: withChannel(`/api/v1/download/${platform}`, channel),
  };
}

/** The JSON text of a decision; as a number, a long build would lose digits. */
export function updateDecisionToJson({
  platform,
  updateAvailable,
  mandatory,
  current: { version, buildNumber },
  ...rest
}: ReturnType<typeof toUpdateDecision>): string {
  const head = JSON.stringify({ platform, updateAvailable, mandatory }).slice(0, -1);
  const current = `{"version":${JSON.stringify(version)},"buildNumber":${buildNumber}}`;
  return `${head},"current":${current},${JSON.stringify(rest).slice(1)}`;
}

export function deadlineHasPassed(mandatoryAfter: string | null, now: number): boolean {
  return now >= deadlineOf(mandatoryAfter);
}

/** The instant from which an update is mandatory; Infinity when there is none. */
export function deadlineOf(mandatoryAfter: string | null): number {
  return mandatoryAfter === null ? Infinity : (parseDateTime(mandatoryAfter) ?? Infinity);
}
