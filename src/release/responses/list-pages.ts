/** Pages of a channel's releases, joined from summaries that are serialised once. */
import { createBoundedCache } from "../../contract/bounded-cache.ts";
import type { ReleaseSummary } from "../../contract/release/schemas.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { negotiatedJson, type NegotiatedResponse } from "../../http/negotiated-response.ts";

export interface ListPages {
  page(page: number, limit: number): NegotiatedResponse;
}

const MAX_CACHED_PAGES = 256;

/** `releases` are newest build first. */
export function createListPages(releases: readonly ReleaseSummary[]): ListPages {
  const summaries = releases.map(({ version, buildNumber, channel, publishedAt }) =>
    JSON.stringify({ version, buildNumber, channel, publishedAt }),
  );
  const cache = createBoundedCache<string, NegotiatedResponse>(MAX_CACHED_PAGES);
  return {
    page: (page, limit) =>
      cache.getOrCreate(`${page}/${limit}`, () => {
        const items = summaries.slice((page - 1) * limit, page * limit).join(",");
        return negotiatedJson(
          `{"page":${page},"limit":${limit},"total":${summaries.length},"releases":[${items}]}`,
          CACHE.current,
        );
      }),
  };
}
