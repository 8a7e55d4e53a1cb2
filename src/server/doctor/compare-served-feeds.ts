/** Compares the feeds for other updaters that an address serves with those of the catalogue. */
import {
  ELECTRON_FILES,
  FEEDS,
  SQUIRREL_ARCHITECTURES,
  type Feed,
  type FeedSettings,
} from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS } from "../../contract/release/values.ts";
import type { ConditionalResponse } from "../../http/conditional.ts";
import { feedContent } from "../../rules/release/feeds/select-feed-releases.ts";
import { prepareFeeds, type PreparedFeeds } from "../../release/prepare-feeds.ts";
import { isPublished, type Catalog } from "../../rules/release/catalog.ts";
import { fetchText } from "../fetch-text.ts";
import { fault, ok, type Finding } from "./finding.ts";

const SUBJECT = "served feeds";
const MAX_FEED_BYTES = 16 * 1024 * 1024;

interface ExpectedFeed {
  readonly path: string;
  /** Undefined when no release has a file for it. */
  readonly response: ConditionalResponse | undefined;
}

/** A cache may serve an old feed beside the new manifest. */
export async function compareServedFeeds(
  base: string,
  { settings, releases }: Catalog,
  feeds: FeedSettings,
): Promise<Finding[]> {
  const on = FEEDS.filter((feed) => feeds[feed]);
  if (on.length === 0) return [];
  const prepared = prepareFeeds(feedContent(settings, releases.filter(isPublished)));
  const expected = on.flatMap((feed) => EXPECTED[feed](prepared));
  const compared = await Promise.all(
    expected.map(async (feed) => ({ path: feed.path, isSame: await isServed(base, feed) })),
  );
  const stale = compared.filter(({ isSame }) => !isSame).map(({ path }) => path);
  return stale.length === 0
    ? [ok(SUBJECT, `the feeds there are those of this catalogue: ${on.join(", ")}`)]
    : [
        fault(
          SUBJECT,
          `${base} does not serve these feeds as this catalogue has them: ${stale.join(", ")}`,
          "deploy this catalogue or its export there with the same version of Trellis, clear the cache of a CDN in front of it, and turn off in release.feeds what is not served",
        ),
      ];
}

const EXPECTED: Readonly<Record<Feed, (prepared: PreparedFeeds) => ExpectedFeed[]>> = {
  electron: ({ electron }) =>
    ELECTRON_FILES.map(({ name }) => ({
      path: `/feeds/electron/${name}`,
      response: electron.get(name),
    })),
  tauri: ({ tauri, tauriUpdates }) => [
    ...RELEASE_CHANNELS.map((channel) => ({
      path: `/feeds/tauri/${channel}.json`,
      response: tauri.get(`${channel}.json`),
    })),
    ...[...tauriUpdates].map(([machine, { response }]) => ({
      path: `/feeds/tauri/${machine}/0.0.0-0`,
      response,
    })),
  ],
  sparkle: ({ appcasts }) =>
    RELEASE_CHANNELS.map((channel) => ({
      path: `/feeds/sparkle/${channel}/appcast.xml`,
      response: appcasts.get(channel),
    })),
  squirrel: ({ squirrelMac }) =>
    RELEASE_CHANNELS.flatMap((channel) =>
      SQUIRREL_ARCHITECTURES.map((architecture) => ({
        path: `/feeds/squirrel/${channel}/darwin/${architecture}/RELEASES.json`,
        response: squirrelMac.get(`${channel}/${architecture}`),
      })),
    ),
};

async function isServed(base: string, { path, response }: ExpectedFeed): Promise<boolean> {
  const served = await fetchText(new URL(`${base}${path}`), MAX_FEED_BYTES);
  if (response === undefined) return served.kind === "status" && served.status === 404;
  return served.kind === "fetched" && served.text === response.full.body;
}
