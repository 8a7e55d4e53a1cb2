/** Pages of a channel's releases, joined from summaries that were serialised once. */
import type { ReleaseSummary } from "../contract/release/schemas.ts";
import { CACHE } from "../contract/release/routes.ts";
import { conditionalJson, type ConditionalResponse } from "../http/conditional.ts";

export interface ListPages {
  page(page: number, limit: number): ConditionalResponse;
}

/** Pages people really ask for; the rest is made anew, which costs one join. */
const MAX_KEPT_PAGES = 256;

/** `releases` are newest build first. */
export function createListPages(releases: readonly ReleaseSummary[]): ListPages {
  const summaries = releases.map(({ version, buildNumber, channel, publishedAt }) =>
    JSON.stringify({ version, buildNumber, channel, publishedAt }),
  );
  const kept = new Map<string, ConditionalResponse>();
  const make = (page: number, limit: number) => {
    const items = summaries.slice((page - 1) * limit, page * limit).join(",");
    return conditionalJson(
      `{"page":${page},"limit":${limit},"total":${summaries.length},"releases":[${items}]}`,
      CACHE.current,
    );
  };
  return {
    page(page, limit) {
      const key = `${page}/${limit}`;
      const found = kept.get(key);
      if (found !== undefined) return found;
      const made = make(page, limit);
      if (kept.size < MAX_KEPT_PAGES) kept.set(key, made);
      return made;
    },
  };
}
