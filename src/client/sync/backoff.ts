/** How long to wait after failures in a row: longer each time, and not when all others do. */
import type { RandomBytes } from "../../rules/web-crypto.ts";

const FIRST_MS = 1000;
const MAX_MS = 5 * 60_000;

/** `failures` counts from 1. */
export function backoffMs(
  failures: number,
  randomBytes: RandomBytes,
  retryAfterSeconds: number | null,
): number {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 20), MAX_MS);
  const [high = 0, low = 0] = randomBytes(2);
  const fraction = (high * 256 + low) / 65_536;
  const delay = longest / 2 + (longest / 2) * fraction;
  return Math.max(delay, (retryAfterSeconds ?? 0) * 1000);
}
