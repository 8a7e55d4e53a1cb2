/** Tells for each updater which installations get a release, and why the others do not. */
import type { DraftRelease, PublishedSource } from "../../../contract/release/catalog.ts";
import { FEEDS, type FeedSettings } from "../../../contract/release/feed-values.ts";
import { EVERYBODY_PERCENT, type ReleaseChannel } from "../../../contract/release/values.ts";
import { appVersionOf, versionsOf, type NamedRelease } from "../app-version.ts";
import { isPublished, latestOf, type Catalog } from "../catalog.ts";
import { isDirect } from "../choose-artifact.ts";
import { feedArchitecture } from "../feeds/feed-file.ts";
import {
  isForEverybody,
  releasesOf,
  type FeedOffer,
  type FeedRelease,
} from "../feeds/feed-release.ts";
import { selectFeedReleases } from "../feeds/select-feed-releases.ts";
import { percentOf } from "../rollouts.ts";
import { UPDATERS, type InstallationKind, type Updater, type UpdaterName } from "./updaters.ts";

export interface Coverage extends NamedRelease {
  readonly channel: ReleaseChannel;
  readonly rows: readonly CoverageRow[];
}

export interface CoverageRow extends InstallationKind {
  readonly updater: UpdaterName;
  /** `stays`: the newest release that it can have is an older one; `none`: no release is for it. */
  readonly result: "gets" | "stays" | "none";
  /** The release that it gets or stays on, and what the app calls it. */
  readonly version: string | null;
  readonly appVersion?: string;
  /** The file that it gets. */
  readonly fileName: string | null;
  /** Why it does not get the release, or what is particular about how it does. */
  readonly reason: string | null;
  /** Whether the release before it was for this installation, and it is not. */
  readonly isLost: boolean;
}

/** The coverage that a draft would have, or that a published release has. */
export function findCoverage(
  { settings, releases, archive }: Pick<Catalog, "settings" | "releases" | "archive">,
  release: DraftRelease | PublishedSource,
  feeds: FeedSettings,
  percent = percentOf(settings.rollouts ?? [], release.version),
): Coverage {
  const { version, channel, buildNumber } = release;
  const earlier = releases
    .filter(isPublished)
    .filter((other) => other.buildNumber < buildNumber && other.version !== version);
  const rollouts = (settings.rollouts ?? []).filter((rollout) => rollout.version !== version);
  const candidate = toCandidate(release, percent);
  const context = {
    candidate,
    offered: [candidate, ...selectFeedReleases(earlier, rollouts, archive)],
    last: latestOf(earlier, channel),
  };
  const updaters: UpdaterName[] = ["client", ...FEEDS.filter((feed) => feeds[feed])];
  return {
    ...versionsOf(release),
    channel,
    rows: updaters.flatMap((updater) => findRows(updater, context)),
  };
}

/** What a draft still lacks is not looked at here; its files are known by their names. */
function toCandidate(release: DraftRelease | PublishedSource, percent: number): FeedRelease {
  const artifacts = release.artifacts.map((artifact) => ({
    ...artifact,
    url: artifact.url ?? `https://draft.invalid/${artifact.fileName}`,
    sha256: artifact.sha256 ?? "",
    size: artifact.size ?? 0,
  }));
  const publishedAt = release.publishedAt ?? "";
  return { ...release, status: "published", publishedAt, artifacts, percent };
}

interface Context {
  readonly candidate: FeedRelease;
  /** The releases that feeds are built from, with the candidate, newest build first. */
  readonly offered: readonly FeedRelease[];
  /** The release before the candidate in its channel. */
  readonly last: PublishedSource | undefined;
}

function findRows(name: UpdaterName, context: Context): CoverageRow[] {
  const updater = UPDATERS[name];
  return findInstallations(updater, context).map((installation) => ({
    updater: name,
    ...installation,
    ...describe(updater, installation, context),
  }));
}

/** The installations that the candidate or a release before it has a file for. */
function findInstallations(updater: Updater, { candidate, offered }: Context): InstallationKind[] {
  const releases = [candidate, ...releasesOf(offered, candidate.channel)];
  const found = releases
    .flatMap(({ artifacts }) => artifacts.filter(isDirect))
    .flatMap((artifact) => updater.installations(artifact));
  const byName = new Map(found.map((installation) => [nameOf(installation), installation]));
  const withPackage = new Set(
    found.filter((item) => item.package !== null).map((item) => machineOf(item)),
  );
  return [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, installation]) => installation)
    .filter((item) => item.package !== null || !withPackage.has(machineOf(item)));
}

const machineOf = ({ system, architecture }: InstallationKind) => `${system} ${architecture}`;
const nameOf = (item: InstallationKind) => `${machineOf(item)} ${item.package ?? ""}`;

type Result = Omit<CoverageRow, keyof InstallationKind | "updater">;

function describe(updater: Updater, installation: InstallationKind, context: Context): Result {
  const { candidate, offered, last } = context;
  const { version, channel } = candidate;
  const covers = (release: PublishedSource) =>
    updater.offer([{ ...release, percent: EVERYBODY_PERCENT }], channel, installation) !== null;
  const offer = updater.offer(offered, channel, installation);
  if (offer?.release.version === version) {
    const { fileName } = offer.artifact;
    const reason = explainOffer(offer, installation);
    return { result: "gets", ...versionsOf(candidate), fileName, reason, isLost: false };
  }
  const isCovered = covers(candidate);
  const stay =
    offer?.release ??
    releasesOf(offered, channel).find((other) => other !== candidate && covers(other));
  return {
    result: stay === undefined ? "none" : "stays",
    ...(stay === undefined ? { version: null } : versionsOf(stay)),
    fileName: null,
    reason: isCovered
      ? explainOther(candidate, stay)
      : explainMissing(updater, candidate, installation),
    isLost: !isCovered && last !== undefined && covers(last),
  };
}

function explainOffer({ release, artifact }: FeedOffer, { architecture }: InstallationKind) {
  const taken = feedArchitecture(artifact);
  const isOwn = taken === "universal" || taken === feedArchitecture({ architecture });
  const reasons = [
    ...(isOwn ? [] : [`it takes the file for ${taken}`]),
    ...(isForEverybody(release) ? [] : [`${release.percent} percent of the installations`]),
  ];
  return reasons.length === 0 ? null : reasons.join("; ");
}

/** Explains why an installation is not offered a release that has a file for it. */
function explainOther({ percent }: FeedRelease, stay: FeedRelease | undefined): string {
  if (percent === 0) return "its rollout is stopped";
  return percent < EVERYBODY_PERCENT
    ? `it is out for ${percent} percent, and this updater knows no shares`
    : `${stay && appVersionOf(stay)} has the higher version`;
}

function explainMissing(
  updater: Updater,
  { artifacts }: FeedRelease,
  installation: InstallationKind,
): string {
  const { system, architecture, package: kind } = installation;
  const own = artifacts
    .filter(isDirect)
    .map((artifact) => ({ artifact, places: updater.installations(artifact) }))
    .filter(({ places }) => places.some((place) => machineOf(place) === machineOf(installation)));
  if (own.length === 0) return `it has no file for ${system} ${architecture}`;
  const explained = own
    .filter(({ places }) => kind === null || places.some((place) => place.package === kind))
    .map(({ artifact }) => updater.explain(artifact, installation))
    .filter((reason) => reason !== undefined);
  if (explained.length === 0) {
    return kind === null
      ? `it has no file that this updater installs (${updater.files[system]})`
      : `it has no ${kind} file for ${system} ${architecture}`;
  }
  const reasons = [...new Set(explained.filter((reason) => reason !== null))];
  // Every file can be checked, but electron-updater takes the first one where it finds none of its own.
  return reasons.join("; ") || "machines without a file of their own would install it; add x64";
}
