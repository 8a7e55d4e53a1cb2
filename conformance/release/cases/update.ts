import type { Members } from "../../../src/contract/is-object.ts";
import type { Release, UpdateDecision } from "../../../src/contract/release/schemas.ts";
import { DISTRIBUTION_PLATFORMS } from "../../../src/contract/release/values.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import { NOT_AN_INTEGER } from "../../http-cases.ts";
import {
  deadlineState,
  expectDecision,
  expectErrorAt,
  type DeadlineState,
} from "../expectations.ts";
import { checkEachLatest, updatePath, type UpdateQuery } from "../requests.ts";
import { releaseCases, type ReleaseServerUnderTest } from "../server-under-test.ts";

const NEWER_VERSION = "987654321.0.0";
const OLDER_VERSION = "0.0.0";
/** 2^53 + 1 is the first integer that a floating-point number rounds. */
const LONG_BUILDS = ["9007199254740993", "10000000000000000", `9${"0".repeat(200)}1`];

export const UPDATE_CASES = releaseCases({
  "update-names-the-latest-release": {
    title: "The target of a decision is the latest release of the channel, on every platform",
    section: "release contract, GET /api/v1/update/{platform}: target; UpdateDecision",
    run: checkEachLatest(({ version, buildNumber, channel, ...rest }, server) =>
      expectEach(DISTRIBUTION_PLATFORMS, (platform) => {
        const { minimumSupportedVersion } = rest;
        const target = { version, buildNumber };
        const query = { platform, version: "0.0.1", build: 1, channel };
        return expectMembers(server, query, { platform, target, minimumSupportedVersion });
      }),
    ),
  },
  "update-echoes-the-client": {
    title: "current is the coordinate that the client sent, digit for digit",
    section: "release contract, GET /api/v1/update/{platform}: current; UpdateDecision",
    async run(server) {
      const coordinates = [
        { version: "0.0.0", buildNumber: 1 },
        { version: "1.2.3", buildNumber: 456 },
        {
          version: "12345678901234567890.0.98765432109876543210",
          buildNumber: Number.MAX_SAFE_INTEGER,
        },
      ];
      const channel = await server.someChannel();
      await expectEach(coordinates, (current) => {
        const { version, buildNumber: build } = current;
        return expectMembers(server, { version, build, channel }, { current });
      });
    },
  },
  "update-compares-build-and-version": {
    title: "An update is there when the target's build is greater or its version newer, else not",
    section: "release contract, States and transitions: derived decision rule 1",
    async run(server) {
      const releases = (await server.latestOfEach()).filter(
        ({ version, buildNumber }) => version !== OLDER_VERSION && buildNumber > 1,
      );
      const reason = "No client can be older than the latest release: it is build 1";
      skipUnless(releases.length > 0, reason);
      await expectEach(releases, ({ version, buildNumber, channel }) => {
        const rows = [
          [version, buildNumber, false],
          [version, buildNumber + 1, false],
          [NEWER_VERSION, buildNumber, false],
          [NEWER_VERSION, buildNumber + 1, false],
          [version, buildNumber - 1, true],
          [NEWER_VERSION, buildNumber - 1, true],
          [OLDER_VERSION, buildNumber, true],
          [OLDER_VERSION, Number.MAX_SAFE_INTEGER, true],
          [OLDER_VERSION, buildNumber - 1, true],
        ] as const;
        return expectEach(rows, ([clientVersion, build, updateAvailable]) =>
          expectMembers(server, { version: clientVersion, build, channel }, { updateAvailable }),
        );
      });
    },
  },
  "versions-are-compared-as-numbers": {
    title: "Versions are compared number by number, not as text, and numbers of any length",
    section: "release contract, States and transitions: derived decision rule 1; convention 5",
    run: checkEachLatest(({ version, buildNumber: build, channel }, server) => {
      const [major = "0", minor = "0", patch = "0"] = version.split(".");
      // One digit more is a greater number, but not a greater text: "10" sorts before "9".
      const longer = (digits: string) => `1${"0".repeat(digits.length)}`;
      const newer = [
        `${longer(major)}.0.0`,
        `${major}.${longer(minor)}.0`,
        `${major}.${minor}.${longer(patch)}`,
        `${major}.${minor}.${"9".repeat(400)}`,
      ];
      return expectEach(newer, (clientVersion) =>
        expectMembers(
          server,
          { version: clientVersion, build, channel },
          { updateAvailable: false },
        ),
      );
    }),
  },
  "update-points-to-the-download-route": {
    title: "download is the path of the platform's download route and keeps the beta channel",
    section: "release contract, GET /api/v1/update/{platform}: download",
    run: checkEachLatest(({ channel }, server) =>
      expectEach(DISTRIBUTION_PLATFORMS, (platform) => {
        const download = `/api/v1/download/${platform}${channel === "beta" ? "?channel=beta" : ""}`;
        const query = { platform, version: "0.0.1", build: 1, channel };
        return expectMembers(server, query, { download });
      }),
    ),
  },
  "update-is-mandatory-after-the-deadline": {
    title: "An available update whose deadline has passed is mandatory, and only an available one",
    section: "release contract, States and transitions: derived decision rule 2",
    async run(server) {
      const releases = await latestWithDeadline(server, "passed");
      const reason = "No latest release has a deadline (mandatoryAfter) that has passed";
      skipUnless(releases.length > 0, reason);
      await expectEach(releases, async ({ version, buildNumber, channel }) => {
        await expectMembers(server, { version: "0.0.0", build: 1, channel }, { mandatory: true });
        const current = { version, build: buildNumber, channel };
        await expectMembers(server, current, { mandatory: false });
      });
    },
  },
  "update-is-optional-before-the-deadline": {
    title: "An update without a deadline, or with one that lies ahead, is not mandatory",
    section: "release contract, States and transitions: derived decision rule 2",
    async run(server) {
      const releases = await latestWithDeadline(server, "none", "ahead");
      const reason = "Every latest release has a deadline (mandatoryAfter) that has passed";
      skipUnless(releases.length > 0, reason);
      await expectEach(releases, ({ channel }) =>
        expectMembers(server, { version: "0.0.0", build: 1, channel }, { mandatory: false }),
      );
    },
  },
  "update-needs-platform-version-and-build": {
    title: "A missing or wrong platform, version or build is 400 invalid_update_request",
    section: "release contract, GET /api/v1/update/{platform}: 400; Errors: invalid_update_request",
    async run({ api }) {
      const versions = [
        "",
        "1",
        "1.0",
        "1.0.0.0",
        "v1.0.0",
        "01.0.0",
        "1.0.0-rc.1",
        "1.0.0%0A",
        "latest",
      ];
      const paths = [
        "/api/v1/update/linux",
        "/api/v1/update/linux?version=1.0.0",
        "/api/v1/update/linux?build=1",
        ...["ios", "web", "amiga", "Windows", "linux%20"].map(
          (platform) => `/api/v1/update/${platform}?version=1.0.0&build=1`,
        ),
        ...versions.map((version) => `/api/v1/update/linux?version=${version}&build=1`),
      ];
      await expectErrorAt(api, "invalid_update_request", paths);
    },
  },
  "update-build-is-a-canonical-integer": {
    title: "build is a plain decimal from 1 on; anything else is invalid_update_request",
    section: "release contract, Limits: build; Trellis decision: integers in queries, build bound",
    async run(server) {
      const paths = NOT_AN_INTEGER.map((build) => updatePath({ version: "1.0.0", build }));
      await expectErrorAt(server.api, "invalid_update_request", paths);
      const channel = await server.someChannel();
      await expectEach(["1", "9007199254740991"], async (build) =>
        expectDecision(await server.api.get(updatePath({ version: "1.0.0", build, channel }))),
      );
    },
  },
  "update-build-has-any-length": {
    title: "A build of any length is compared, and comes back digit for digit",
    section: "release contract, Limits: build; UpdateCoordinate; Trellis decision: integers",
    run: checkEachLatest(({ version, channel }, server) =>
      expectEach(LONG_BUILDS, async (build) => {
        const response = await server.api.get(updatePath({ version, build, channel }));
        expectSame(response, "updateAvailable", expectDecision(response).updateAvailable, false);
        // A parser would round the number.
        const echoed = /"buildNumber"\s*:\s*([^\s,}]*)/g;
        const builds = [...response.text().matchAll(echoed)].map((match) => match[1]);
        if (!builds.includes(build)) fail(response, `"buildNumber":${build}`, builds.join(", "));
      }),
    ),
  },
  "update-checks-the-channel-last": {
    title: "When a coordinate and the channel are wrong, the answer is invalid_update_request",
    section: "Trellis decision, release service: order of checks",
    run: ({ api }) =>
      expectErrorAt(api, "invalid_update_request", [
        "/api/v1/update/amiga?version=1.0.0&build=1&channel=nightly",
        "/api/v1/update/linux?build=1&channel=nightly",
        "/api/v1/update/linux?channel=nightly&version=1.0.0&build=0",
      ]),
  },
});

async function latestWithDeadline(
  server: ReleaseServerUnderTest,
  ...states: DeadlineState[]
): Promise<Release[]> {
  const releases = await server.latestOfEach();
  return releases.filter((release) => states.includes(deadlineState(release.mandatoryAfter)));
}

async function expectMembers(
  server: ReleaseServerUnderTest,
  query: UpdateQuery,
  expected: Partial<UpdateDecision>,
): Promise<void> {
  const response = await server.api.get(updatePath(query));
  const decision: Members = expectDecision(response);
  for (const [name, value] of Object.entries(expected)) {
    expectSame(response, name, decision[name], value);
  }
}
