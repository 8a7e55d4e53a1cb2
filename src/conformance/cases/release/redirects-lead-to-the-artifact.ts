import { DEFAULT_ARCHITECTURES, DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { NotTestable } from "../../case.ts";
import { expectEach, violate } from "../../expect.ts";
import { expectAbsoluteRedirect, expectRedirect } from "../../release/expect-redirect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const redirectsLeadToTheArtifact: ReleaseCase = {
  id: "redirects-lead-to-the-artifact",
  title: "From the legacy entry over the selector and the download route one arrives at the file",
  section: "release contract, GET /download; GET {smart_download_url}/; GET /api/v1/download",
  async run(target) {
    const selector = target.selector();
    const journeys = (await target.latestOfEach()).flatMap(({ channel, artifacts }) =>
      DISTRIBUTION_PLATFORMS.flatMap((platform) => {
        const file = artifacts.find(
          (item) =>
            item.platform === platform && item.architecture === DEFAULT_ARCHITECTURES[platform],
        );
        return file === undefined ? [] : [{ channel, platform, url: file.url }];
      }),
    );
    if (journeys.length === 0) throw new NotTestable("No latest release has a default download");
    await expectEach(journeys, async ({ channel, platform, url }) => {
      const legacy = await target.api.get(`/download?platform=${platform}&channel=${channel}`);
      const query = new URL(expectAbsoluteRedirect(legacy, 308)).search;
      const chosen = await selector.get(`/${query}`);
      const route = expectAbsoluteRedirect(chosen);
      // The server may be asked at another address than the one it calls itself by.
      if (!route.startsWith(`${target.publicUrl}/`)) {
        violate(chosen.asked, `an address at ${target.publicUrl}`, route);
      }
      expectRedirect(await target.api.get(route.slice(target.publicUrl.length)), url);
    });
  },
};
