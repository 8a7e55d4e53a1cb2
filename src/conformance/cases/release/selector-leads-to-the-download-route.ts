import { DEFAULT_ARCHITECTURES, DISTRIBUTION_PLATFORMS } from "../../../contract/release/values.ts";
import { expectEach } from "../../expect.ts";
import { askSelector, expectDownloadRoute } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const selectorLeadsToTheDownloadRoute: ReleaseCase = {
  id: "selector-leads-to-the-download-route",
  title: "A platform leads to its download route with the default or the asked architecture",
  section: "release contract, GET {smart_download_url}/: redirect target shape, arch",
  async run(target) {
    await expectEach(DISTRIBUTION_PLATFORMS, async (platform) => {
      const usual = DEFAULT_ARCHITECTURES[platform];
      const silent = await askSelector(target, `platform=${platform}`);
      expectDownloadRoute(target, silent, `${platform}/${usual}`);
      // Nothing is looked up, so an architecture that no release has is redirected to as well.
      const named = await askSelector(target, `arch=riscv64&platform=${platform}`);
      expectDownloadRoute(target, named, `${platform}/riscv64`);
    });
  },
};
