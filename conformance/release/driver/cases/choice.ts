/** Which release an installation is offered, and which of its files. */
import { HOUR_MS } from "../../../../src/contract/durations.ts";
import type { ManifestPayload, Release } from "../../../../src/contract/release/schemas.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import { expectSame } from "../../../expect.ts";
import {
  ACTIVE,
  expectOffered,
  expectKind,
  install,
  type InstallationOptions,
  type Update,
} from "../installation.ts";
import {
  createPayload,
  createRelease,
  CURRENT_RELEASE,
  inMs,
  NEXT_RELEASE,
  type MadeArtifact,
} from "../releases.ts";

const DECISION = "release contract, Derived decision rules";
const OFFERED = "Trellis decision, release service: what a client makes of the offered release";
const KIND = "Trellis decision, update client: package";

export const CHOICE_CASES = driverCases({
  "newest-release-is-offered": {
    title: "Of several newer releases the newest is offered",
    section: `${DECISION} 1`,
    async run(client) {
      const newest = createRelease({ version: "1.10.0", buildNumber: 12 });
      const releases = [newest, NEXT_RELEASE, CURRENT_RELEASE];
      expectOffered(await check(client, "releases up to 1.10.0", { releases }), newest);
    },
  },
  "running-version-is-up-to-date": {
    title: "An installation of the newest release is up to date",
    section: `${DECISION} 1`,
    async run(client) {
      const update = await check(client, "a manifest with the running version as the newest", {
        releases: [CURRENT_RELEASE],
      });
      expectKind(update, "up-to-date");
    },
  },
  "channels-are-apart": {
    title: "A stable installation is offered no beta, and a beta one the newest beta",
    section: "release contract, Conventions 3",
    async run(client) {
      const beta = createRelease({ version: "1.2.0", buildNumber: 12, channel: "beta" });
      const releases = [beta, NEXT_RELEASE, CURRENT_RELEASE];
      const asked = "a newer beta beside a stable release";
      expectOffered(await check(client, asked, { releases }), NEXT_RELEASE);
      expectOffered(await check(client, asked, { releases }, { channel: "beta" }), beta);
    },
  },
  "downgrade-is-not-offered": {
    title: "A release with a higher build and an older version is not installed, nor the reverse",
    section: OFFERED,
    async run(client) {
      const newer = createRelease({ version: "1.0.0", buildNumber: 11 });
      const current = { version: "1.1.0", buildNumber: 10 };
      const update = await check(
        client,
        "a newest release that is newer by build and older by version",
        { releases: [newer] },
        { current },
      );
      expectKind(update, "would-downgrade");
    },
  },
  "deadline-makes-mandatory": {
    title: "An update is mandatory from its mandatoryAfter on, and not before",
    section: `${DECISION} 2`,
    async run(client) {
      for (const [ms, isMandatory] of [
        [-HOUR_MS, true],
        [HOUR_MS, false],
      ] as const) {
        const release = createRelease({ ...NEXT_RELEASE, mandatoryAfter: inMs(ms) });
        const deadline = isMandatory ? "a deadline that has passed" : "a deadline ahead";
        const update = await check(client, `an update with ${deadline}`, { releases: [release] });
        expectOffered(update, release);
        expectSame(update.asked, "mandatory", update.result.mandatory, isMandatory);
      }
    },
  },
  "withdrawn-version-is-told": {
    title: "An installation whose version was withdrawn, without a newer release, says so",
    section: OFFERED,
    async run(client) {
      const update = await check(client, "a manifest that withdrew the running version", {
        releases: [createRelease({ version: "0.9.0", buildNumber: 9 })],
        withdrawn: [{ version: "1.0.0", buildNumber: 10, reason: "It loses entries" }],
      });
      expectKind(update, "withdrawn");
    },
  },
  "other-platforms-files-are-not-installed": {
    title: "Without a file for its platform and architecture an installation downloads none",
    section: OFFERED,
    async run(client) {
      const elsewhere: MadeArtifact[] = [
        { fileName: "habits-1.1.0.dmg", platform: "macos", architecture: "universal" },
        { fileName: "habits-1.1.0-arm64.AppImage", architecture: "arm64" },
      ];
      const update = await checkFiles(
        client,
        "an update without a file for linux and x64",
        elsewhere,
      );
      expectKind(update, "no-artifact");
    },
  },
  "file-of-its-architecture-is-chosen": {
    title: "An installation gets the file of its platform and architecture",
    section: "release contract, GET /api/v1/download/{platform}/{architecture}",
    async run(client) {
      const artifacts: MadeArtifact[] = [
        { fileName: "habits-1.1.0.dmg", platform: "macos", architecture: "x64" },
        { fileName: "habits-1.1.0-arm64.AppImage", architecture: "arm64" },
        { fileName: "habits-1.1.0-x64.AppImage" },
      ];
      const asked = "an update with files of several systems";
      await expectFile(client, asked, artifacts, "habits-1.1.0-x64.AppImage");
      const other = { architecture: "arm64" };
      await expectFile(client, asked, artifacts, "habits-1.1.0-arm64.AppImage", other);
    },
  },
  "store-files-are-left-out": {
    title: "A file for a store is never installed by the app itself",
    section: "release contract, Both download routes",
    async run(client) {
      const android = { platform: "android", architecture: "universal" } as const;
      const store: MadeArtifact = {
        ...android,
        fileName: "habits-1.1.0.aab",
        distribution: "play",
      };
      const direct: MadeArtifact = {
        ...android,
        fileName: "habits-1.1.0.apk",
        distribution: "direct",
      };
      const asked = "an update with a file for a store";
      await expectFile(client, asked, [store, direct], direct.fileName, android);
      expectKind(await checkFiles(client, `${asked} alone`, [store], android), "no-artifact");
    },
  },
  "own-kind-of-package-is-chosen": {
    title:
      "A copy that knows its package gets a file of that kind, whatever the case of its ending",
    section: KIND,
    async run(client) {
      const asked = "an update as deb, rpm, AppImage and tar.gz";
      for (const [kind, fileName] of [
        ["deb", "habits-1.1.0.DEB"],
        ["rpm", "habits-1.1.0.rpm"],
        ["appimage", "habits-1.1.0.AppImage"],
        ["tar.gz", "habits-1.1.0.tar.gz"],
      ] as const) {
        await expectFile(client, asked, PACKAGES, fileName, { package: kind });
      }
    },
  },
  "other-kinds-of-package-are-not-installed": {
    title: "A copy that knows its package gets no file of another kind",
    section: KIND,
    async run(client) {
      const options: InstallationOptions = { package: "flatpak" };
      const asked = "an update without a flatpak";
      expectKind(await checkFiles(client, asked, PACKAGES, options), "no-artifact");
    },
  },
  "copy-without-a-kind-gets-the-first-file": {
    title: "A copy that does not know its package gets the first file of its system",
    section: "release contract, Both download routes: the first matching artifact",
    run: (client) =>
      expectFile(client, "an update in several packages", PACKAGES, "habits-1.1.0.rpm"),
  },
});

const PACKAGES: readonly MadeArtifact[] = [
  { fileName: "habits-1.1.0.rpm" },
  { fileName: "habits-1.1.0.AppImage" },
  { fileName: "habits-1.1.0.tar.gz" },
  { fileName: "habits-1.1.0.DEB" },
];

function check(
  client: ClientUnderTest,
  what: string,
  changes: Partial<ManifestPayload>,
  options?: InstallationOptions,
): Promise<Update> {
  const manifest = ACTIVE.seal(createPayload(changes));
  return install(client, options).update(`a check of ${what}`, { manifest });
}

function withFiles(artifacts: readonly MadeArtifact[]): Release {
  return createRelease({ version: "1.1.0", buildNumber: 11, artifacts });
}

function checkFiles(
  client: ClientUnderTest,
  what: string,
  artifacts: readonly MadeArtifact[],
  options?: InstallationOptions,
): Promise<Update> {
  return check(client, what, { releases: [withFiles(artifacts)] }, options);
}

async function expectFile(
  client: ClientUnderTest,
  what: string,
  artifacts: readonly MadeArtifact[],
  fileName: string,
  options?: InstallationOptions,
): Promise<void> {
  const update = await checkFiles(client, what, artifacts, options);
  expectOffered(update, withFiles(artifacts), fileName);
}
