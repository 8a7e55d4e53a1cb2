/** The appcast of Sparkle 2, WinSparkle and their ports: RSS 2.0 with Sparkle's elements. */
import { parseDateTime } from "../../../contract/date-time.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import type { ReleaseChannel } from "../../../contract/release/values.ts";
import { isDirect } from "../choose-artifact.ts";
import { deadlineHasPassed, deadlineOf } from "../decide-update.ts";
import { appVersionOf } from "../app-version.ts";
import { feedArchitecture, hasExtension, runsOn, type FeedArchitecture } from "./feed-file.ts";
import { notesToHtml } from "./feed-notes.ts";
import { isForEverybody, releasesOf, type FeedOffer, type FeedRelease } from "./feed-release.ts";
import { cdata, escapeMarkup } from "./markup.ts";

const SPARKLE_NAMESPACE = "http://www.andymatuschak.org/xml-namespaces/sparkle";

/** Sparkle divides the installations into seven groups and adds one after each interval. */
const PHASED_ROLLOUT_SECONDS = 86_400;

/** Null when no release has a signed file. */
export function appcast(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  product: string,
  now: number,
): string | null {
  const items = appcastItems(releases, channel).map((item) => itemLines(item, now));
  if (items.length === 0) return null;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<rss version="2.0" xmlns:sparkle="${SPARKLE_NAMESPACE}">`,
    "<channel>",
    element("title", product),
    element("description", `Updates of ${product}`),
    ...items.flat(),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
}

interface AppcastItem extends AppcastFile {
  readonly release: FeedRelease;
}

function appcastItems(releases: readonly FeedRelease[], channel: ReleaseChannel): AppcastItem[] {
  return releasesOf(releases, channel).flatMap((release) =>
    offeredAppcastFiles(release).map((file) => ({ release, ...file })),
  );
}

/** The newest item that a reader on a machine finds for itself. */
export function findAppcastOffer(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  system: SourceArtifact["platform"],
  architecture: FeedArchitecture,
): FeedOffer | null {
  const own = `${system}-${architecture}`;
  const isFor = ({ os }: AppcastFile) => os === system || os === own;
  return appcastItems(releases, channel).find(isFor) ?? null;
}

/** The instants at which appcasts begin to call a release critical; Infinity for one without a deadline. */
export function appcastDeadlines(releases: readonly FeedRelease[]): number[] {
  return releases
    .filter((release) => isForEverybody(release) && appcastFiles(release.artifacts).length > 0)
    .map(({ mandatoryAfter }) => deadlineOf(mandatoryAfter));
}

interface AppcastFile {
  readonly artifact: SourceArtifact;
  readonly os: string;
}

const PLATFORMS = ["macos", "windows", "linux"] as const;
type AppcastPlatform = (typeof PLATFORMS)[number];

const EXTENSIONS: Readonly<Record<AppcastPlatform, readonly string[]>> = {
  macos: [".dmg", ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".aar", ".pkg"],
  windows: [".exe", ".msi", ".zip"],
  linux: [".appimage", ".deb", ".rpm", ".tar.gz", ".tar.xz"],
};

/** Sparkle for macOS does not read an architecture: an Intel build also runs on Apple silicon. */
const MACOS_ORDER: readonly FeedArchitecture[] = ["universal", "x64", "arm64"];

/** Only Sparkle for macOS knows phases; others get an older release until the staged one is out for all. */
function offeredAppcastFiles(release: FeedRelease): AppcastFile[] {
  const files = appcastFiles(release.artifacts);
  return isForEverybody(release) ? files : files.filter(({ os }) => os === "macos");
}

/** One file for each system that the readers of an appcast can tell apart. */
export function appcastFiles(artifacts: readonly SourceArtifact[]): AppcastFile[] {
  return PLATFORMS.flatMap((platform) => {
    const signed = artifacts.filter(
      (artifact) => artifact.platform === platform && explainAppcastFile(artifact) === null,
    );
    return platform === "macos" ? macosFile(signed) : otherFiles(platform, signed);
  });
}

function macosFile(signed: readonly SourceArtifact[]): AppcastFile[] {
  const [artifact] = MACOS_ORDER.flatMap((architecture) =>
    signed.filter((file) => feedArchitecture(file) === architecture),
  );
  return artifact === undefined ? [] : [{ artifact, os: "macos" }];
}

function otherFiles(platform: AppcastPlatform, signed: readonly SourceArtifact[]): AppcastFile[] {
  const byArchitecture = new Map<FeedArchitecture | undefined, SourceArtifact>();
  for (const artifact of signed) {
    const architecture = feedArchitecture(artifact);
    if (!byArchitecture.has(architecture)) byArchitecture.set(architecture, artifact);
  }
  // Every reader knows `windows`; `windows-x64` is younger, and needed when there are several. A file
  // that most machines do not run is never for all of them.
  const isOnly = byArchitecture.size === 1;
  return [...byArchitecture].map(([architecture, artifact]) => {
    const isForAll = architecture === "universal" || (isOnly && runsOn(artifact, "x64"));
    return { artifact, os: isForAll ? platform : `${platform}-${architecture}` };
  });
}

/** Why an artifact is not in the feed: undefined when no reader installs it, null when it can be. */
export function explainAppcastFile(artifact: SourceArtifact): string | null | undefined {
  const platform = PLATFORMS.find((name) => name === artifact.platform);
  if (platform === undefined || !isDirect(artifact)) return undefined;
  if (feedArchitecture(artifact) === undefined) return undefined;
  if (!hasExtension(artifact, ...EXTENSIONS[platform])) return undefined;
  return artifact.signatures?.sparkle === undefined
    ? "it has no EdDSA signature; add it with --sparkle or --ed-signature"
    : null;
}

function itemLines({ release, artifact, os }: AppcastItem, now: number): string[] {
  const minimum = minimumSystemVersion(artifact);
  const isStaged = !isForEverybody(release);
  return [
    "<item>",
    element("title", `Version ${appVersionOf(release)}`),
    element("pubDate", rssDate(release.publishedAt)),
    // Readers other than Sparkle would show a beta to everybody, so only the beta appcast has any.
    ...(release.channel === "beta" ? [element("sparkle:channel", "beta")] : []),
    element("sparkle:version", String(release.buildNumber)),
    element("sparkle:shortVersionString", appVersionOf(release)),
    ...(minimum === null ? [] : [element("sparkle:minimumSystemVersion", minimum)]),
    // Sparkle 2.9 and later do not offer such a file to an Intel Mac.
    ...(os === "macos" && feedArchitecture(artifact) === "arm64"
      ? [element("sparkle:hardwareRequirements", "arm64")]
      : []),
    ...(isStaged ? [element("sparkle:phasedRolloutInterval", String(PHASED_ROLLOUT_SECONDS))] : []),
    // A critical update goes to all groups at once, so a release that is rolled out is none yet.
    ...(deadlineHasPassed(release.mandatoryAfter, now) && !isStaged
      ? ["<sparkle:criticalUpdate/>"]
      : []),
    ...descriptions(release, os),
    enclosure(artifact, os),
    "</item>",
  ];
}

/** Only Sparkle itself reads `xml:lang`; WinSparkle would show both texts one after the other. */
function descriptions(release: FeedRelease, os: string): string[] {
  if (os !== "macos" || release.presentation === undefined) {
    const html = notesToHtml(release, "en");
    return html === "" ? [] : [`<description>${cdata(html)}</description>`];
  }
  return (["en", "de"] as const).map(
    (language) =>
      `<description xml:lang="${language}">${cdata(notesToHtml(release, language))}</description>`,
  );
}

function enclosure({ url, size, signatures }: SourceArtifact, os: string): string {
  const attributes = {
    url,
    length: String(size),
    type: "application/octet-stream",
    "sparkle:os": os,
    "sparkle:edSignature": signatures?.sparkle ?? "",
  };
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeMarkup(value)}"`,
  );
  return `<enclosure${written.join("")}/>`;
}

/** WinSparkle takes a third number for a service pack, which no current Windows has. */
function minimumSystemVersion({ platform, minimumOs }: SourceArtifact): string | null {
  if (minimumOs === undefined) return null;
  return platform === "windows" ? minimumOs.split(".").slice(0, 2).join(".") : minimumOs;
}

/** RFC 822 with a numeric zone: Sparkle reads no other. */
function rssDate(dateTime: string): string {
  return new Date(parseDateTime(dateTime) ?? 0).toUTCString().replace("GMT", "+0000");
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}
