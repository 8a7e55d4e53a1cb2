/** The order of revisions: a Lamport clock, with the device as the tie-break. */
import type { Revision } from "../../contract/sync/types.ts";

/** Negative when `a` is older. Devices are compared by code unit, so that every platform agrees. */
export function compareRevisions(a: Revision, b: Revision): number {
  if (a.sequence !== b.sequence) return a.sequence - b.sequence;
  return a.deviceId < b.deviceId ? -1 : a.deviceId > b.deviceId ? 1 : 0;
}

/** Device ids are of unreserved characters, whose percent-encoding is themselves. */
export function operationIdOf({ deviceId, sequence }: Revision): string {
  return `operation/${deviceId}/${sequence}`;
}
