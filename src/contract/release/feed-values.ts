/** The feeds for updaters that apps already have, and the names in their addresses. */
import { RELEASE_CHANNELS, type ReleaseChannel } from "./values.ts";

export const FEEDS = ["electron", "tauri", "sparkle", "squirrel"] as const;
export type Feed = (typeof FEEDS)[number];
/** Tells which feeds are served; each can be turned off in the configuration. */
export type FeedSettings = Readonly<Record<Feed, boolean>>;
export const ALL_FEEDS: FeedSettings = {
  electron: true,
  tauri: true,
  sparkle: true,
  squirrel: true,
};

/** electron-updater calls the stable channel `latest`. */
export const ELECTRON_CHANNELS: Readonly<Record<ReleaseChannel, string>> = {
  stable: "latest",
  beta: "beta",
};
/** The ends of the file names; Linux has a file for each architecture, under Node's name for it. */
export const ELECTRON_TARGETS = {
  windows: "",
  mac: "-mac",
  linux: "-linux",
  "linux-arm64": "-linux-arm64",
  "linux-arm": "-linux-arm",
  "linux-ia32": "-linux-ia32",
} as const;
export type ElectronTarget = keyof typeof ELECTRON_TARGETS;

export interface ElectronFile {
  readonly name: string;
  readonly channel: ReleaseChannel;
  readonly target: ElectronTarget;
}

export const ELECTRON_FILES: readonly ElectronFile[] = RELEASE_CHANNELS.flatMap((channel) =>
  Object.entries(ELECTRON_TARGETS).map(([target, end]) => ({
    name: `${ELECTRON_CHANNELS[channel]}${end}.yml`,
    channel,
    target: target as ElectronTarget,
  })),
);

export const TAURI_TARGETS = ["windows", "darwin", "linux"] as const;
export const TAURI_ARCHITECTURES = ["x86_64", "aarch64", "i686", "armv7"] as const;
/** What an app was installed as. The first of a system is that of apps which do not say it. */
export const TAURI_BUNDLE_TYPES = ["nsis", "msi", "app", "appimage", "deb", "rpm"] as const;
/** An app that was not bundled by Tauri's own tool sends this for `{{bundle_type}}`. */
export const UNKNOWN_BUNDLE_TYPE = "unknown";
export type TauriBundleType = (typeof TAURI_BUNDLE_TYPES)[number];
export type TauriTarget = (typeof TAURI_TARGETS)[number];
export type TauriArchitecture = (typeof TAURI_ARCHITECTURES)[number];

/** The architectures of a Mac, as Node names them. */
export const SQUIRREL_ARCHITECTURES = ["x64", "arm64"] as const;
export type SquirrelArchitecture = (typeof SQUIRREL_ARCHITECTURES)[number];

const NUMBER = "(?:0|[1-9][0-9]*)";
const PRE_RELEASE = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
/** Any SemVer 2 (9, 10): the version of an app, which may be a pre-release, unlike that of a release. */
export const APP_VERSION_PATTERN = `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PRE_RELEASE}(?:\\.${PRE_RELEASE})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`;

export const YAML_TYPE = "application/yaml";
export const APPCAST_TYPE = "application/rss+xml";
