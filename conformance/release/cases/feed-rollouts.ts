/** Rollouts and channels in feeds: what is offered to whom follows from the signed manifest. */
import { FEEDS, type Feed } from "../../../src/contract/release/feed-values.ts";
import { EVERYBODY_PERCENT } from "../../../src/contract/release/values.ts";
import { compareAppVersions } from "../../../src/rules/release/app-version.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import type { ReceivedResponse } from "../../http.ts";
import { expectManifestPayload } from "../expectations.ts";
import {
  expectSquirrelFeed,
  expectTauriFeed,
  readAppcast,
  readElectronFeed,
} from "../read-feed.ts";
import { fetchManifest } from "../requests.ts";
import { feedSection, servedFeeds, signedPercent, type ServedOffer } from "../served-feeds.ts";
import { releaseCases } from "../server-under-test.ts";

const OFFERS = {
  electron: (response) => {
    const { version, path } = readElectronFeed(response);
    return [{ version, url: path }];
  },
  tauri: (response) => {
    const { version, platforms } = expectTauriFeed(response);
    return [{ version, url: Object.values(platforms)[0]?.url ?? "" }];
  },
  sparkle: readAppcast,
  squirrel: (response) => {
    const { currentRelease, releases } = expectSquirrelFeed(response);
    return [{ version: currentRelease, url: releases[0]?.updateTo.url ?? "" }];
  },
} as const satisfies Record<Feed, (response: ReceivedResponse) => ServedOffer[]>;

export const FEED_ROLLOUT_CASES = releaseCases({
  "electron-feed-carries-the-rollout": {
    title: "A file of electron-updater names the signed share of a staged release, and no other",
    section: feedSection("rollouts"),
    async run(server) {
      const percent = await signedPercent(server);
      await expectEach(await servedFeeds(server, "electron"), async ([, response]) => {
        const { version, path, stagingPercentage } = readElectronFeed(response);
        const signed = await percent({ version, url: path });
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
        await expectEach(readAppcast(response), async (item) => {
          const { version, phasedRolloutInterval: interval, isCritical } = item;
          const isStaged = (await percent(item)) < EVERYBODY_PERCENT;
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
        const offers = path.startsWith("/feeds/sparkle/")
          ? readAppcast(response).filter(({ os }) => os !== "macos")
          : OFFERS[feedOf(path)](response);
        await expectEach(offers, async (offer) => {
          const share = await percent(offer);
          if (share === EVERYBODY_PERCENT) return;
          fail(response, "releases for everybody", `${offer.version} at ${share} percent`);
        });
      });
    },
  },
  "stopped-releases-are-in-no-feed": {
    title: "A release whose rollout was stopped at 0 percent is in no feed",
    section: feedSection("rollouts"),
    async run(server) {
      const percent = await signedPercent(server);
      const { rollouts = [] } = expectManifestPayload(await fetchManifest(server));
      skipUnless(
        rollouts.some((rollout) => rollout.percent === 0),
        "No release is stopped at 0 percent",
      );
      await expectEach(await servedFeeds(server, ...FEEDS), ([path, response]) =>
        expectEach(OFFERS[feedOf(path)](response), async (offer) => {
          if ((await percent(offer)) === 0) fail(response, "no stopped release", offer.version);
        }),
      );
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
        const [older, newer] = [stable, beta].map((response) =>
          OFFERS[feedOf(path)](response).map(({ version }) => version),
        ) as [string[], string[]];
        if (path.startsWith("/feeds/sparkle/")) {
          const missing = older.find((version) => !newer.includes(version));
          if (missing !== undefined) fail(beta, `the stable ${missing} too`, newer.join());
          return;
        }
        const [[highest = ""], [offered = ""]] = [older, newer];
        if (compareAppVersions(offered, highest) < 0) fail(beta, `${highest} or newer`, offered);
      });
    },
  },
});

function feedOf(path: string): Feed {
  return FEEDS.find((feed) => path.startsWith(`/feeds/${feed}/`)) ?? "electron";
}
