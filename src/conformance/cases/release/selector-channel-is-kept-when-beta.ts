import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import { askSelector, expectDownloadRoute, LINUX_BROWSER } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const WRONG = [
  "channel=nightly",
  "channel=",
  "channel=Beta",
  "channel=%zz",
  "channel=beta&channel=beta",
  // The channel is looked at first, whatever else is wrong.
  "platform=amiga&arch=..&channel=nightly",
];

export const selectorChannelIsKeptWhenBeta: ReleaseCase = {
  id: "selector-channel-is-kept-when-beta",
  title: "beta is appended, stable is not, and another channel is 400 invalid_channel",
  section: "release contract, GET {smart_download_url}/: channel; Trellis decision: selector 400",
  async run(target) {
    const beta = await askSelector(target, "platform=linux&channel=beta");
    expectDownloadRoute(target, beta, "linux/x64?channel=beta");
    const stable = await askSelector(target, "channel=stable&platform=linux");
    expectDownloadRoute(target, stable, "linux/x64");
    await expectEach(WRONG, async (query) => {
      expectError(await askSelector(target, query, LINUX_BROWSER), "invalid_channel");
    });
  },
};
