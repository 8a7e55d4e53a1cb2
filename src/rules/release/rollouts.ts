/**
 * Staged rollouts: which release of a channel an installation is offered. Every installation has a
 * bucket from 1 to 100, and a rollout of 25 percent reaches the buckets 1 to 25. Only the newest release
 * of a channel is staged: the installations outside its share are offered the newest one that is out for
 * everybody, and never a staged one that the newest has overtaken.
 */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import type { Rollout, UpdateCoordinate } from "../../contract/release/schemas.ts";
import { EVERYBODY_PERCENT, type ReleaseChannel } from "../../contract/release/values.ts";

type Rollouts = readonly Rollout[];

interface ReleaseInChannel {
  readonly version: string;
  readonly channel: ReleaseChannel;
}

/** A release without an entry is out for everybody. */
export function percentOf(rollouts: Rollouts, version: string): number {
  return rollouts.find((rollout) => rollout.version === version)?.percent ?? EVERYBODY_PERCENT;
}

export interface ChannelOffers<T> {
  /** The newest release, while it is not out for everybody. */
  readonly staged: { readonly release: T; readonly percent: number } | null;
  /** The newest release that is out for everybody. */
  readonly everybody: T | null;
}

/** `releases` are published, newest build first. */
export function findOffers<T extends ReleaseInChannel>(
  releases: readonly T[],
  rollouts: Rollouts,
  channel: ReleaseChannel,
): ChannelOffers<T> {
  const own = releases
    .filter((release) => release.channel === channel)
    .map((release) => ({ release, percent: percentOf(rollouts, release.version) }));
  const everybody = own.find(({ percent }) => percent >= EVERYBODY_PERCENT);
  const [newest] = own;
  return {
    staged: newest === undefined || newest === everybody ? null : newest,
    everybody: everybody?.release ?? null,
  };
}

/** Why an installation is offered its release; the command line shows it. */
export type OfferRule =
  /** The newest release is out for everybody, or there is none. */
  | "everybody"
  | "in-share"
  | "outside-share"
  | "stopped"
  /** The installation has the staged release already, so it is not offered an older one. */
  | "installed";

export interface Offer<T> {
  readonly release: T | null;
  readonly rule: OfferRule;
}

export function chooseOffer<T extends ReleaseInChannel & UpdateCoordinate>(
  { staged, everybody }: ChannelOffers<T>,
  bucket: number,
  current: UpdateCoordinate,
): Offer<T> {
  if (staged === null) return { release: everybody, rule: "everybody" };
  const { release, percent } = staged;
  if (release.version === current.version) return { release, rule: "installed" };
  if (bucket <= percent) return { release, rule: "in-share" };
  return { release: everybody, rule: percent === 0 ? "stopped" : "outside-share" };
}

/** Newest build first; a staged release matters until a newer one of its channel is out for everybody. */
export function rolloutsToSign(
  releases: readonly Pick<SourceRelease, "version" | "channel" | "status">[],
  rollouts: Rollouts,
): Rollout[] {
  const settled = new Set<ReleaseChannel>();
  return releases.flatMap(({ version, channel, status }) => {
    if (status !== "published" || settled.has(channel)) return [];
    const percent = percentOf(rollouts, version);
    if (percent < EVERYBODY_PERCENT) return [{ version, percent }];
    settled.add(channel);
    return [];
  });
}

/** A rollout only rises, except to 0. `before` is undefined while none was set. */
export function mayFollow(before: number | undefined, percent: number): boolean {
  return before === undefined || percent === 0 || percent >= before;
}

/**
 * The rollouts with one set, newest build first. An entry below 100 stays for as long as its release is
 * published, because the release is the newest again when those after it are withdrawn. One of 100 stays
 * while its release is the newest, so that it cannot be lowered.
 */
export function withRollout(
  releases: readonly Pick<SourceRelease, "version" | "channel" | "status">[],
  rollouts: Rollouts,
  set: Rollout,
): Rollout[] {
  const percents = new Map([...rollouts, set].map(({ version, percent }) => [version, percent]));
  const seen = new Set<ReleaseChannel>();
  return releases.flatMap(({ version, channel, status }) => {
    if (status !== "published") return [];
    const isNewest = !seen.has(channel);
    seen.add(channel);
    const percent = percents.get(version);
    if (percent === undefined) return [];
    return isNewest || percent < EVERYBODY_PERCENT ? [{ version, percent }] : [];
  });
}
