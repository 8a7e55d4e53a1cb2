/** The updaters that releases reach: what each of them takes is asked of the functions that build its feed. */
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import {
  SQUIRREL_ARCHITECTURES,
  type Feed,
  type TauriBundleType,
} from "../../../contract/release/feed-values.ts";
import {
  DISTRIBUTION_PLATFORMS,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../../contract/release/values.ts";
import { toPublicRelease } from "../catalog.ts";
import { evaluateUpdate } from "../evaluate-update.ts";
import { explainAppcastFile, findAppcastOffer } from "../feeds/appcast.ts";
import {
  electronPackage,
  electronTarget,
  explainElectronFile,
  findElectronOffer,
} from "../feeds/electron-feed.ts";
import { isForUpdaters } from "../file-kinds.ts";
import { PACKAGE_KINDS, packageKindOf } from "../package-kinds.ts";
import { feedArchitecture, runsOn, type FeedArchitecture } from "../feeds/feed-file.ts";
import type { FeedOffer, FeedRelease } from "../feeds/feed-release.ts";
import { findSquirrelOffer } from "../feeds/squirrel-feed.ts";
import {
  explainTauriFile,
  findTauriOffer,
  tauriBundleType,
  tauriMachine,
} from "../feeds/tauri-feed.ts";

/** `client` is the update client, which reads the signed manifest. */
export type UpdaterName = "client" | Feed;

/** The installations that an updater cannot tell apart. */
export interface InstallationKind {
  readonly system: DistributionPlatform;
  readonly architecture: string;
  /** What the app was installed as, such as `deb`; null where the updater does not care. */
  readonly package: string | null;
}

export interface Updater {
  /** The installations that an artifact could be for, whether the updater can install it or not. */
  installations(artifact: SourceArtifact): InstallationKind[];
  offer(
    releases: readonly FeedRelease[],
    channel: ReleaseChannel,
    installation: InstallationKind,
  ): FeedOffer | null;
  /** Why the updater cannot install a file: undefined when it installs none of its form, null when it can. */
  explain(artifact: SourceArtifact, installation: InstallationKind): string | null | undefined;
  /** The files that the updater installs on a system. */
  readonly files: Partial<Record<DistributionPlatform, string>>;
}

type Machines = Partial<Record<SourceArtifact["platform"], readonly FeedArchitecture[]>>;

/** A universal file is for these machines, if the updater knows them. */
const UNIVERSAL: ReadonlySet<FeedArchitecture> = new Set(["x64", "arm64"]);

function installationsOn(
  machines: Machines,
  packageOf: (artifact: SourceArtifact) => string | null = () => null,
): Updater["installations"] {
  return (artifact) => {
    const architecture = feedArchitecture(artifact);
    const found = (machines[artifact.platform] ?? []).filter((machine) =>
      architecture === "universal" ? UNIVERSAL.has(machine) : machine === architecture,
    );
    return found.map((machine) => ({
      system: artifact.platform as DistributionPlatform,
      architecture: machine,
      package: packageOf(artifact),
    }));
  };
}

/** The architecture of an installation that `installationsOn` named. */
function machineOf({ architecture }: InstallationKind): FeedArchitecture {
  return feedArchitecture({ architecture }) ?? "universal";
}

/** Updaters that do not look at the architecture of a file may take one that the machine does not run. */
function ifRunning(offer: FeedOffer | null, installation: InstallationKind): FeedOffer | null {
  return offer !== null && runsOn(offer.artifact, machineOf(installation)) ? offer : null;
}

const WINDOWS = ["x64", "x86", "arm64"] as const;
const MACOS = SQUIRREL_ARCHITECTURES;
const LINUX = ["x64", "arm64", "armv7", "x86"] as const;
const DESKTOPS = { windows: WINDOWS, macos: MACOS, linux: LINUX } as const satisfies Machines;

const client: Updater = {
  installations({ platform, architecture, fileName }) {
    const system = DISTRIBUTION_PLATFORMS.find((name) => name === platform);
    // People do not install a file that is for other updaters.
    const kind = isForUpdaters(fileName) ? null : packageKindOf(fileName);
    return system === undefined ? [] : [{ system, architecture, package: kind }];
  },
  offer(releases, channel, { system, architecture, package: name }) {
    const manifest = {
      releases: releases.map(toPublicRelease),
      withdrawn: [],
      rollouts: releases.map(({ version, percent }) => ({ version, percent })),
    };
    const current = { version: "0.0.0", buildNumber: 0 };
    // The first bucket is in every share.
    const status = evaluateUpdate(
      manifest,
      {
        channel,
        platform: system,
        architecture,
        package: PACKAGE_KINDS.find((kind) => kind === name) ?? null,
        current,
      },
      1,
      0,
    );
    if (status.kind !== "update-available") return null;
    const release = releases.find(({ version }) => version === status.release.version);
    const artifact = release?.artifacts.find(({ url }) => url === status.artifact.url);
    return release && artifact ? { release, artifact } : null;
  },
  explain: () => null,
  files: {},
};

const electron: Updater = {
  installations: installationsOn(DESKTOPS, electronPackage),
  offer(releases, channel, installation) {
    const machine = machineOf(installation);
    const target = electronTarget(installation.system, machine);
    if (target === undefined) return null;
    const offer = findElectronOffer(releases, channel, target, machine, installation.package);
    return ifRunning(offer, installation);
  },
  explain(artifact, installation) {
    const target = electronTarget(installation.system, machineOf(installation));
    return target && explainElectronFile(artifact, target);
  },
  files: { windows: ".exe", macos: ".zip", linux: ".AppImage, .deb, .rpm, .pacman" },
};

const tauri: Updater = {
  installations: installationsOn(DESKTOPS, tauriBundleType),
  offer(releases, channel, installation) {
    const machine = tauriMachine(installation.system, machineOf(installation));
    if (!machine) return null;
    const bundleType = (installation.package as TauriBundleType | null) ?? undefined;
    return findTauriOffer(releases, channel, machine.target, machine.architecture, bundleType);
  },
  explain: explainTauriFile,
  files: { windows: ".exe, .msi", macos: ".app.tar.gz", linux: ".AppImage, .deb, .rpm" },
};

const sparkle: Updater = {
  installations: installationsOn(DESKTOPS),
  offer(releases, channel, installation) {
    const { system } = installation;
    const offer = findAppcastOffer(releases, channel, system, machineOf(installation));
    return ifRunning(offer, installation);
  },
  explain: explainAppcastFile,
  files: { windows: ".exe, .msi, .zip", macos: ".dmg, .zip, .pkg", linux: ".AppImage, .deb, .rpm" },
};

const squirrel: Updater = {
  installations: installationsOn({ macos: MACOS }),
  offer(releases, channel, { architecture }) {
    const machine = MACOS.find((name) => name === architecture);
    return machine === undefined ? null : findSquirrelOffer(releases, channel, machine);
  },
  // Any archive will do, so a Mac that is offered none has none.
  explain: () => undefined,
  files: { macos: ".zip" },
};

export const UPDATERS: Readonly<Record<UpdaterName, Updater>> = {
  client,
  electron,
  tauri,
  sparkle,
  squirrel,
};
