import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createPublishedRelease } from "../../../test/fixtures/signed-envelope.ts";
import type { Release, WithdrawnRelease } from "../../contract/release/schemas.ts";
import { evaluateUpdate, type Installation } from "./evaluate-update.ts";
import type { PackageKind } from "./package-kinds.ts";
import { compareVersions } from "./version.ts";

const NOW = Date.UTC(2026, 0, 10);
const release = (version: string, buildNumber: number, changes: Partial<Release> = {}) =>
  createPublishedRelease({ version, buildNumber, ...changes });
const app = (version: string, buildNumber: number, changes: Partial<Installation> = {}) => ({
  channel: "stable" as const,
  platform: "linux" as const,
  architecture: "x64",
  package: null,
  current: { version, buildNumber },
  ...changes,
});
const judge = (
  releases: Release[],
  installation: Installation,
  withdrawn: WithdrawnRelease[] = [],
) => evaluateUpdate({ releases, withdrawn }, installation, 50, NOW);

test("a newer release of the channel is an update with its artifact", () => {
  const latest = release("1.2.0", 12);
  assert.deepEqual(judge([latest, release("1.1.0", 11)], app("1.1.0", 11)), {
    kind: "update-available",
    release: latest,
    filesSha256: null,
    artifact: latest.artifacts[0],
    mandatory: false,
    unsupported: false,
    withdrawn: null,
  });
});

test("the latest release is up to date, and so is an app ahead of it", () => {
  const latest = release("1.2.0", 12);
  assert.deepEqual(judge([latest], app("1.2.0", 12)), { kind: "up-to-date", latest });
  assert.equal(judge([latest], app("1.3.0", 13)).kind, "up-to-date");
});

test("an empty channel has nothing to offer", () => {
  assert.deepEqual(judge([release("1.2.0", 12)], app("1.0.0", 1, { channel: "beta" })), {
    kind: "up-to-date",
    latest: null,
  });
});

test("each channel keeps to itself, also when the other one is newer", () => {
  const releases = [release("1.4.0", 14), release("1.3.0", 13, { channel: "beta" })];
  const beta = judge(releases, app("1.3.0", 13, { channel: "beta" }));
  assert.equal(beta.kind, "up-to-date");
  const newerBeta = [release("1.5.0", 15, { channel: "beta" }), ...releases];
  assert.equal(judge(newerBeta, app("1.4.0", 14)).kind, "up-to-date");
});

test("an update is mandatory from its deadline on, not before", () => {
  const judgeDeadline = (instant: number) => {
    const mandatoryAfter = new Date(instant).toISOString();
    const result = judge([release("1.2.0", 12, { mandatoryAfter })], app("1.1.0", 11));
    return result.kind === "update-available" && result.mandatory;
  };
  assert.equal(judgeDeadline(NOW + 1), false);
  assert.equal(judgeDeadline(NOW), true);
});

test("an app older than the oldest supported version is unsupported", () => {
  const latest = release("2.0.0", 20, { minimumSupportedVersion: "1.5.0" });
  const unsupported = (version: string) => {
    const result = judge([latest], app(version, 4));
    return result.kind === "update-available" && result.unsupported;
  };
  assert.equal(unsupported("1.4.9"), true);
  assert.equal(unsupported("1.5.0"), false);
});

test("an update without a file for this platform and architecture says which release it is", () => {
  const latest = release("1.2.0", 12, { mandatoryAfter: "2026-01-01T00:00:00Z" });
  for (const changes of [{ platform: "windows" as const }, { architecture: "arm64" }]) {
    const result = judge([latest], app("1.1.0", 11, changes));
    assert.deepEqual(result, {
      kind: "no-artifact",
      release: latest,
      filesSha256: null,
      mandatory: true,
      unsupported: false,
      withdrawn: null,
    });
  }
});

test("a copy gets a file of its own kind of package and never another", () => {
  const [artifact] = createPublishedRelease().artifacts;
  assert.ok(artifact);
  const file = (fileName: string) => ({ ...artifact, fileName });
  const artifacts = [
    file("habits.AppImage"),
    file("habits.rpm"),
    file("habits-deb"),
    file("habits.DEB"),
  ];
  const offer = (kind: PackageKind | null) => {
    const status = judge(
      [release("1.2.0", 12, { artifacts })],
      app("1.1.0", 11, { package: kind }),
    );
    return status.kind === "update-available" ? status.artifact.fileName : status.kind;
  };
  assert.equal(offer("deb"), "habits.DEB");
  assert.equal(offer("rpm"), "habits.rpm");
  assert.equal(offer("snap"), "no-artifact");
  assert.equal(offer(null), "habits.AppImage");
});

test("a store bundle is never offered for installing", () => {
  const artifact = createPublishedRelease().artifacts[0];
  assert.ok(artifact);
  const android = { ...artifact, platform: "android" as const, architecture: "universal" };
  const bundle = { ...android, distribution: "play" as const, fileName: "app.aab" };
  const direct = { ...android, distribution: "direct" as const, fileName: "app.apk" };
  const phone = app("1.1.0", 11, { platform: "android", architecture: "universal" });
  const onlyBundle = judge([release("1.2.0", 12, { artifacts: [bundle] })], phone);
  assert.equal(onlyBundle.kind, "no-artifact");
  const both = judge([release("1.2.0", 12, { artifacts: [bundle, direct] })], phone);
  assert.equal(both.kind === "update-available" && both.artifact.fileName, "app.apk");
});

const withdrawal = { version: "1.2.0", buildNumber: 12, reason: "Loses data", replacedBy: "1.2.1" };

test("a withdrawn version with a successor is an update that says why", () => {
  const result = judge([release("1.2.1", 13)], app("1.2.0", 12), [withdrawal]);
  assert.equal(result.kind, "update-available");
  assert.deepEqual(result.kind === "update-available" && result.withdrawn, withdrawal);
});

test("a withdrawn newest version is reported and never downgraded", () => {
  const latest = release("1.1.0", 11);
  assert.deepEqual(judge([latest], app("1.2.0", 12), [withdrawal]), {
    kind: "withdrawn",
    withdrawn: withdrawal,
    latest,
  });
});

test("the withdrawal of another version does not matter", () => {
  assert.equal(judge([release("1.3.0", 13)], app("1.3.0", 13), [withdrawal]).kind, "up-to-date");
});

test("a later build of an older version is not an update, nor the reverse", () => {
  const latest = release("1.9.1", 21);
  assert.deepEqual(judge([latest], app("2.0.0", 20)), {
    kind: "would-downgrade",
    latest,
    withdrawn: null,
  });
  assert.equal(judge([release("2.0.1", 19)], app("2.0.0", 20)).kind, "would-downgrade");
});

test("no offered update ever lowers the version or the build", () => {
  const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join("."));
  const build = fc.integer({ min: 1, max: 6 });
  fc.assert(
    fc.property(version, build, version, build, (have, haveBuild, want, wantBuild) => {
      const result = judge([release(want, wantBuild)], app(have, haveBuild));
      if (result.kind !== "update-available") return;
      assert.ok(wantBuild >= haveBuild && compareVersions(want, have) >= 0);
      assert.ok(wantBuild > haveBuild || compareVersions(want, have) > 0);
    }),
  );
});

/** 1.5.0 for a quarter, with demands; 1.4.0 for everybody. */
const staged = release("1.5.0", 15, {
  minimumSupportedVersion: "1.5.0",
  mandatoryAfter: "2026-01-01T00:00:00Z",
});
const everybodys = release("1.4.0", 14);
const judgeStaged = (installation: Installation, bucket: number, percent = 25) =>
  evaluateUpdate(
    {
      releases: [staged, everybodys, release("1.3.0", 13)],
      withdrawn: [],
      rollouts: [{ version: "1.5.0", percent }],
    },
    installation,
    bucket,
    NOW,
  );

test("inside of its share a staged release is an update, with its deadline and its minimum", () => {
  const result = judgeStaged(app("1.4.0", 14), 25);
  assert.ok(result.kind === "update-available");
  assert.equal(result.release, staged);
  assert.ok(result.mandatory && result.unsupported);
});

test("outside of its share neither a staged release nor what it demands exists", () => {
  const older = judgeStaged(app("1.3.0", 13), 26);
  assert.ok(older.kind === "update-available");
  assert.equal(older.release, everybodys);
  assert.equal(older.mandatory || older.unsupported, false);
  assert.deepEqual(judgeStaged(app("1.4.0", 14), 26), { kind: "up-to-date", latest: everybodys });
});

test("a stopped rollout is not offered", () => {
  assert.deepEqual(judgeStaged(app("1.4.0", 14), 1, 0), { kind: "up-to-date", latest: everybodys });
});

test("an app that runs the staged release is up to date and never led back, in the share or not", () => {
  for (const [bucket, percent] of [
    [1, 25],
    [100, 25],
    [100, 0],
  ] as const) {
    assert.deepEqual(judgeStaged(app("1.5.0", 15), bucket, percent), {
      kind: "up-to-date",
      latest: staged,
    });
  }
  // Version 1.4.5 also came from the staged release that 1.5.0 has overtaken.
  assert.equal(judgeStaged(app("1.4.5", 145), 100).kind, "up-to-date");
});

test("no bucket and no percent ever offers a lower version or build", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 11, max: 16 }),
      fc.integer({ min: 1, max: 100 }),
      fc.nat(100),
      (build, bucket, percent) => {
        const result = judgeStaged(app(`1.${build - 10}.0`, build), bucket, percent);
        if (result.kind !== "update-available") return assert.equal(result.kind, "up-to-date");
        return assert.ok(result.release.buildNumber > build);
      },
    ),
  );
});
