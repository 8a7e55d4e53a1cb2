/** What apps do about the releases of a channel, in plain words. */
import type { ChannelOffers } from "../../rules/release/rollouts.ts";

export function describeOffers({
  staged,
  everybody,
}: ChannelOffers<{ readonly version: string }>): string {
  if (staged === null) {
    return everybody === null
      ? "No installation is offered a release"
      : `Every installation is offered ${everybody.version}`;
  }
  const { release, percent } = staged;
  if (percent === 0) {
    const others = everybody === null ? "" : `: they keep ${everybody.version}`;
    return `No installation is offered ${release.version}${others}`;
  }
  const others = everybody === null ? "are offered nothing yet" : `keep ${everybody.version}`;
  return `About ${describeShare(percent)} of the installations are offered ${release.version}; the others ${others}`;
}

const SHARES: ReadonlyMap<number, string> = new Map([
  [10, "a tenth"],
  [20, "a fifth"],
  [25, "a quarter"],
  [33, "a third"],
  [50, "half"],
  [67, "two thirds"],
  [75, "three quarters"],
]);

function describeShare(percent: number): string {
  return SHARES.get(percent) ?? `${percent} percent`;
}
