import { CACHE } from "../../../contract/release/routes.ts";
import { DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { NotTestable } from "../../case.ts";
import { expectHeader } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const downloadRedirectsAreKeptForMinutes: ReleaseCase = {
  id: "download-redirects-are-kept-for-minutes",
  title: "A redirect to an artifact may be kept as long as the latest release",
  section: "Trellis decision, release service: Cache-Control of the download redirects",
  async run(target) {
    let redirects = 0;
    for (const { channel } of await target.latestOfEach()) {
      for (const platform of DISTRIBUTION_PLATFORMS) {
        const answer = await target.api.get(`/api/v1/download/${platform}?channel=${channel}`);
        if (answer.status !== 302) continue;
        redirects += 1;
        expectHeader(answer, "Cache-Control", CACHE.current);
      }
    }
    if (redirects === 0) throw new NotTestable("No platform has a download to redirect to");
  },
};
