import { expectEach } from "../../expect.ts";
import {
  askSelector,
  expectDownloadRoute,
  expectWebsite,
  LINUX_BROWSER,
} from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const INVALID = [
  "platform=",
  "platform=ios",
  "platform=Windows",
  "platform=windows%20",
  "platform=%zz",
  "platform=windows&platform=windows",
  "platform=windows&platform=macos",
];

export const selectorPlatformOverridesDetection: ReleaseCase = {
  id: "selector-platform-overrides-detection",
  title: "A valid platform overrides the User-Agent; an invalid or repeated one does not",
  section: "release contract, GET {smart_download_url}/: platform; Trellis decision: not valid",
  async run(target) {
    const overridden = await askSelector(target, "platform=macos", LINUX_BROWSER);
    expectDownloadRoute(target, overridden, "macos/universal");
    await expectEach(INVALID, async (query) => {
      expectDownloadRoute(target, await askSelector(target, query, LINUX_BROWSER), "linux/x64");
      expectWebsite(target, await askSelector(target, query));
    });
  },
};
