/** Rollouts and channels in feeds: what is offered to whom follows from the signed manifest. */
import { FEEDS, type Feed } from "../../../src/contract/release/feed-values.ts";
import { EVERYBODY_PERCENT } from "../../../src/contract/release/values.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { compareVersions } from "../expectations.ts";
import {
  expectSquirrelFeed,
  expectTauriFeed,
  readAppcast,
  readElectronFeed,
} from "../read-feed.ts";
import { signedPercent } from "../requests.ts";
import { feedSection, servedFeeds } from "../served-feeds.ts";
import { releaseCases } from "../server-under-test.ts";

/** The versions that a feed offers. */
const VERSIONS = {
  electron: (response) => [readElectronFeed(response).version],
  tauri: (response) => [expectTauriFeed(response).version],
  sparkle: (response) => readAppcast(response).map(({ version }) => version),
  squirrel: (response) => [expectSquirrelFeed(response).currentRelease],
} as const satisfies Record<Feed, (response: ReceivedResponse) => string[]>;

export const FEED_ROLLOUT_CASES = releaseCases({
  "electron-feed-carries-the-rollout": {
    title: "A file of electron-updater names the signed share of a staged release, and no other",
    section: feedSection("rollouts"),
    async run(server) {
      const percent = await signedPercent(server);
      await expectEach(await servedFeeds(server, "electron"), ([, response]) => {
        const { version, stagingPercentage } = readElectronFeed(response);
        const signed = percent(version);
        const expected = signed === EVERYBODY_PERCENT ? undefined : signed;
        expectSame(response, `stagingPercentage of ${version}`, stagingPercentage, expected);
      });
    },
  },
  "appcast-carries-the-rollout": {
    title: "An appcast has phases for a staged release, which is not critical, and for no other",
    section: feedSection("rollouts"),
    async run(server) {
      const percent = await signedPercent(server);
      await expectEach(await servedFeeds(server, "sparkle"), async ([, response]) => {
        await expectEach(readAppcast(response), (item) => {
          const { version, phasedRolloutInterval: interval, isCritical } = item;
          const isStaged = percent(version) < EVERYBODY_PERCENT;
          if (isStaged && !/^[1-9][0-9]*$/.test(interval ?? "")) {
            fail(response, `phases for ${version}`, interval ?? "none");
          }
          if (!isStaged && interval !== null) {
            fail(response, `no phases for ${version}`, interval);
          }
          if (isStaged && isCritical) {
            fail(response, `${version} not critical yet`, "a critical update");
          }
        });
      });
    },
  },
  "feeds-without-stages-wait-for-everybody": {
    title:
      "Tauri, Squirrel and readers of an appcast outside macOS are offered what is out for everybody",
    section: feedSection("rollouts"),
    async run(server) {
      const percent = await signedPercent(server);
      const feeds = await servedFeeds(server, "tauri", "squirrel", "sparkle");
      await expectEach(feeds, async ([path, response]) => {
        const versions = path.startsWith("/feeds/sparkle/")
          ? readAppcast(response).flatMap(({ os, version }) => (os === "macos" ? [] : [version]))
          : VERSIONS[feedOf(path)](response);
        await expectEach(versions, (version) => {
          const share = percent(version);
          if (share === EVERYBODY_PERCENT) return;
          fail(response, "releases for everybody", `${version} at ${share} percent`);
        });
      });
    },
  },
  "stopped-releases-are-in-no-feed": {
    title: "A release whose rollout was stopped at 0 percent is in no feed",
    section: feedSection("rollouts"),
    async run(server) {
      const percent = await signedPercent(server);
      const published = await server.published();
      const isStopped = (version: string) => percent(version) === 0;
      skipUnless(
        published.some(({ version }) => isStopped(version)),
        "No release is stopped at 0 percent",
      );
      await expectEach(await servedFeeds(server, ...FEEDS), ([path, response]) => {
        const stopped = VERSIONS[feedOf(path)](response).find(isStopped);
        if (stopped !== undefined) fail(response, "no stopped release", stopped);
      });
    },
  },
  "beta-feeds-have-newer-stable-releases": {
    title: "Testers are offered the newest version of both channels, and the appcast has both",
    section: feedSection("channels"),
    async run(server) {
      const feeds = await servedFeeds(server, "tauri", "squirrel", "sparkle");
      const pairs = feeds.flatMap(([path, stable]) => {
        const other = path.replace("/stable", "/beta");
        const beta = feeds.find(([name]) => name === other && name !== path);
        return beta === undefined ? [] : [{ path, stable, beta: beta[1] }];
      });
      skipUnless(pairs.length > 0, "The server has no feed for both channels");
      await expectEach(pairs, ({ path, stable, beta }) => {
        const versionsOf = VERSIONS[feedOf(path)];
        const [older, newer] = [versionsOf(stable), versionsOf(beta)];
        if (path.startsWith("/feeds/sparkle/")) {
          const missing = older.find((version) => !newer.includes(version));
          if (missing !== undefined) fail(beta, `the stable ${missing} too`, newer.join());
          return;
        }
        const [[highest = ""], [offered = ""]] = [older, newer];
        if (compareVersions(offered, highest) < 0) fail(beta, `${highest} or newer`, offered);
      });
    },
  },
});

function feedOf(path: string): Feed {
  return FEEDS.find((feed) => path.startsWith(`/feeds/${feed}/`)) ?? "electron";
}
