/** Installations, and what a verified manifest means for each. */
import type { ManifestPayload, Release } from "../../src/contract/release/schemas.ts";
import {
  evaluateUpdate,
  type Installation,
  type UpdateStatus,
} from "../../src/rules/release/evaluate-update.ts";
import { createPublishedRelease } from "../../test/fixtures/signed-envelope.ts";
import type { VectorSource } from "./vector-file.ts";

interface UpdateInput {
  readonly manifest: Pick<ManifestPayload, "releases" | "withdrawn" | "rollouts">;
  readonly installation: Installation;
  readonly bucket: number;
  readonly now: number;
}

export function createUpdateVectors(): VectorSource<UpdateInput> {
  return {
    name: "release-update",
    description:
      "What a client does, given a verified manifest: docs/protocol/release.md, The update decision and Staged rollouts. `input` has the part of the payload that counts, the installation, its bucket from 1 to 100, and the clock in milliseconds since 1970. `expected` names the release that is offered (null: none), the file to install, and what is known of the running version.",
    inputs: UPDATE_INPUTS,
    expect: ({ manifest, installation, bucket, now }) =>
      summarise(evaluateUpdate(manifest, installation, bucket, now)),
    codes: Object.keys({
      "up-to-date": true,
      "update-available": true,
      "no-artifact": true,
      withdrawn: true,
      "would-downgrade": true,
    } satisfies Record<UpdateStatus["kind"], true>),
  };
}

function summarise(status: UpdateStatus): object {
  const { kind } = status;
  const offered = ("release" in status ? status.release : status.latest)?.version ?? null;
  const withdrawn = "withdrawn" in status ? (status.withdrawn?.version ?? null) : null;
  if (!("release" in status)) return { kind, offered, withdrawn };
  const { mandatory, unsupported } = status;
  const fileName = "artifact" in status ? status.artifact.fileName : null;
  return { kind, offered, withdrawn, mandatory, unsupported, fileName };
}

const NOW = Date.UTC(2026, 0, 15);

/** Version 1.4.0 has build 14. */
function release(minor: number, changes: Partial<Release> = {}): Release {
  const version = `1.${minor}.0`;
  const artifacts = [artifact("linux", "x64", version), artifact("android", "universal", version)];
  const notes = { added: [], changed: [], fixed: [], security: [] };
  return createPublishedRelease({ version, buildNumber: 10 + minor, notes, artifacts, ...changes });
}

function artifact(
  platform: "android" | "linux",
  architecture: string,
  version: string,
  distribution?: "direct" | "play",
): Release["artifacts"][number] {
  const fileName = `habits-${version}-${platform}-${distribution ?? architecture}`;
  const url = `https://downloads.example.com/${fileName}`;
  const [{ signed, sha256, size } = { signed: true, sha256: "", size: 1 }] =
    createPublishedRelease().artifacts;
  const file = { platform, architecture, fileName, signed, url, sha256, size };
  return distribution === undefined ? file : { ...file, distribution };
}

interface Situation extends Partial<Installation> {
  readonly releases: readonly Release[];
  readonly rollouts?: readonly (readonly [minor: number, percent: number])[];
  readonly withdrawn?: ManifestPayload["withdrawn"];
  /** The minor version that runs; its build follows. */
  readonly running?: number;
  readonly bucket?: number;
}

function situation(given: Situation): UpdateInput {
  const { releases, rollouts, withdrawn = [], running = 2, bucket = 50, ...changes } = given;
  return {
    manifest: {
      releases: [...releases],
      withdrawn,
      ...(rollouts && {
        rollouts: rollouts.map(([minor, percent]) => ({ version: `1.${minor}.0`, percent })),
      }),
    },
    installation: {
      channel: "stable",
      platform: "linux",
      architecture: "x64",
      package: null,
      current: { version: `1.${running}.0`, buildNumber: 10 + running },
      ...changes,
    },
    bucket,
    now: NOW,
  };
}

const releases = [release(4), release(3), release(2)];
const beta = release(5, { channel: "beta" });
const withdrawn = [{ version: "1.2.0", buildNumber: 12, reason: "It loses entries" }];
const due = (mandatoryAfter: string) => ({ releases: [release(4, { mandatoryAfter })] });
const staged = (percent: number, given: Partial<Situation> = {}) =>
  situation({ releases, rollouts: [[4, percent]], ...given });

/** A release with a file for Linux of each of these endings, in this order. */
const packaged = (...endings: readonly string[]) => ({
  releases: [
    release(4, {
      artifacts: endings.map((ending) => {
        const file = artifact("linux", "x64", "1.4.0");
        const fileName = `habits-1.4.0${ending}`;
        return { ...file, fileName, url: `https://downloads.example.com/${fileName}` };
      }),
    }),
  ],
});

const UPDATE_INPUTS: Record<string, UpdateInput> = {
  "nothing is published": situation({ releases: [] }),
  "the newest runs": situation({ releases, running: 4 }),
  "something newer than the newest runs": situation({ releases, running: 5 }),
  "a newer release": situation({ releases }),
  "numbers are compared and not texts": situation({
    releases: [release(10), release(9)],
    running: 9,
  }),
  "another build of the same version": situation({
    releases,
    current: { version: "1.4.0", buildNumber: 13 },
  }),
  "stable does not get beta": situation({ releases: [beta, ...releases] }),
  "beta stays in its channel": situation({ releases: [release(6), beta], channel: "beta" }),
  "beta without a beta": situation({ releases, channel: "beta" }),
  "newer by version, older by build": situation({
    releases,
    current: { version: "1.3.0", buildNumber: 40 },
  }),
  "newer by build, older by version": situation({
    releases,
    current: { version: "2.0.0", buildNumber: 1 },
  }),
  "a deadline that has passed": situation(due("2026-01-14T00:00:00Z")),
  "a deadline at this moment": situation(due("2026-01-15T01:00:00+01:00")),
  "a deadline ahead": situation(due("2026-01-15T00:00:00.001Z")),
  "a version that is no longer supported": situation({
    releases: [release(4, { minimumSupportedVersion: "1.3.0" })],
  }),
  "the oldest supported version": situation({
    releases: [release(4, { minimumSupportedVersion: "1.2.0" })],
  }),
  "no file for the architecture": situation({ releases, architecture: "arm64" }),
  "a file for the store alone": situation({
    releases: [release(4, { artifacts: [artifact("android", "universal", "1.4.0", "play")] })],
    platform: "android",
    architecture: "universal",
  }),
  "the direct file beside that of the store": situation({
    releases: [
      release(4, {
        artifacts: [
          artifact("android", "universal", "1.4.0", "play"),
          artifact("android", "universal", "1.4.0", "direct"),
        ],
      }),
    ],
    platform: "android",
    architecture: "universal",
  }),
  "a copy gets a file of its own kind": situation({
    ...packaged(".AppImage", ".rpm", ".deb"),
    package: "deb",
  }),
  "the case of an ending does not count": situation({
    ...packaged(".deb", ".AppImage"),
    package: "appimage",
  }),
  "an ending of two parts": situation({ ...packaged(".zip", ".tar.gz"), package: "tar.gz" }),
  "an ending is more than the last letters": situation({
    ...packaged("-notadeb", ".mydeb"),
    package: "deb",
  }),
  "never a file of another kind": situation({ ...packaged(".AppImage", ".rpm"), package: "deb" }),
  "a copy that does not say its kind gets the first file": situation(packaged(".rpm", ".deb")),
  "a withdrawn version with an update": situation({
    releases: [release(4), release(3)],
    withdrawn,
  }),
  "a withdrawn version without one": situation({ releases: [release(1)], withdrawn }),
  "a withdrawn version, and the newest would be a downgrade": situation({
    releases: [release(1, { buildNumber: 15 })],
    withdrawn,
  }),
  "the last bucket of a share": staged(25, { bucket: 25 }),
  "the first bucket outside of it": staged(25, { bucket: 26 }),
  "the smallest share": staged(1, { bucket: 1 }),
  "a stopped rollout": staged(0, { bucket: 1 }),
  "a rollout for everyone": staged(100, { bucket: 100 }),
  "outside of the share, but it runs": staged(25, { bucket: 26, running: 4 }),
  "outside of the share, with the one before": staged(25, { bucket: 26, running: 3 }),
  "two staged releases": situation({
    releases,
    rollouts: [
      [4, 10],
      [3, 50],
    ],
    running: 1,
  }),
  "nothing is out for everyone": situation({ releases: [release(4)], rollouts: [[4, 10]] }),
  "a deadline outside of the share": situation({
    ...due("2026-01-14T00:00:00Z"),
    rollouts: [[4, 10]],
  }),
  "a rollout of the other channel": situation({
    releases: [beta, ...releases],
    rollouts: [[5, 10]],
  }),
};
