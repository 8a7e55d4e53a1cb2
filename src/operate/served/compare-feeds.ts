/** Compares the feeds for other updaters that an address serves with those of the catalogue. */
import { isRouteServed } from "../../contract/release/feed-routes.ts";
import { FEEDS, type FeedSettings } from "../../contract/release/feed-values.ts";
import { OLDEST_VERSION } from "../../release/export/feed-files.ts";
import { prepareFeeds, type PreparedFeed } from "../../release/responses/prepare-feeds.ts";
import { feedContent } from "../../rules/release/feeds/select-feed-releases.ts";
import { isPublished, type Catalog } from "../../rules/release/catalog.ts";
import { errorFinding, ok, type Finding } from "../doctor/finding.ts";
import { fetchServed } from "./fetch-served.ts";

const SUBJECT = "served feeds";
const MAX_FEED_BYTES = 16 * 1024 * 1024;

/** A cache may serve an old feed beside the new manifest. */
export async function compareServedFeeds(
  base: string,
  catalog: Catalog,
  feeds: FeedSettings,
  now: number,
): Promise<Finding[]> {
  const on = FEEDS.filter((feed) => feeds[feed]);
  if (on.length === 0) return [];
  const prepared = prepareFeeds(feedContent(catalog, catalog.releases.filter(isPublished)), now);
  const served = [...prepared].filter(([, { operationId }]) => isRouteServed(operationId, feeds));
  const compared = await Promise.all(
    served.map(async ([address, { response, version }]) => {
      const path = version === undefined ? address : `${address}/${OLDEST_VERSION}`;
      return { path, isSame: await isServed(base, path, response) };
    }),
  );
  const stale = compared.filter(({ isSame }) => !isSame).map(({ path }) => path);
  return stale.length === 0
    ? [ok(SUBJECT, `the feeds there are those of this catalogue: ${on.join(", ")}`)]
    : [
        errorFinding(
          SUBJECT,
          `${base} does not serve these feeds as this catalogue has them: ${stale.join(", ")}`,
          "deploy this catalogue or its export there with the same version of Trellis, clear the cache of a CDN in front of it, and turn off in release.feeds what is not served",
        ),
      ];
}

async function isServed(
  base: string,
  path: string,
  response: PreparedFeed["response"],
): Promise<boolean> {
  const served = await fetchServed(new URL(`${base}${path}`), MAX_FEED_BYTES);
  if (response === null) return served.kind === "status" && served.status === 404;
  return served.kind === "fetched" && served.text === response.full.body;
}
