/** Where the deadline of a release stands. */
import { parseDateTime } from "../../contract/date-time.ts";
import type { Release } from "../../contract/release/schemas.ts";
import type { ReleaseTarget } from "./target.ts";

export type DeadlineState = "none" | "passed" | "ahead" | "near";

// A cached decision may be five minutes old, and clocks differ: so near to it nothing is proved.
const NEAR_MS = 600_000;

export async function latestWithDeadline(
  target: ReleaseTarget,
  ...states: DeadlineState[]
): Promise<Release[]> {
  const releases = await target.latestOfEach();
  return releases.filter((release) => states.includes(deadlineState(release.mandatoryAfter)));
}

function deadlineState(mandatoryAfter: string | null): DeadlineState {
  if (mandatoryAfter === null) return "none";
  const ahead = (parseDateTime(mandatoryAfter) ?? 0) - Date.now();
  if (Math.abs(ahead) < NEAR_MS) return "near";
  return ahead > 0 ? "ahead" : "passed";
}
