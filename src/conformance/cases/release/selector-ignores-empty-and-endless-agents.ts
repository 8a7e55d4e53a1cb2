import {
  askSelector,
  expectDownloadRoute,
  expectWebsite,
  LINUX_BROWSER,
} from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const MAX_AGENT_LENGTH = 512;

export const selectorIgnoresEmptyAndEndlessAgents: ReleaseCase = {
  id: "selector-ignores-empty-and-endless-agents",
  title: "No User-Agent, an empty one and one of over 512 characters lead to the website",
  section: "release contract, GET {smart_download_url}/: no platform; Trellis decision: detection",
  async run(target) {
    expectWebsite(target, await askSelector(target, ""));
    expectWebsite(target, await askSelector(target, "", ""));
    const longest = LINUX_BROWSER.padEnd(MAX_AGENT_LENGTH, "x");
    expectDownloadRoute(target, await askSelector(target, "", longest), "linux/x64");
    expectWebsite(target, await askSelector(target, "", `${longest}x`));
  },
};
