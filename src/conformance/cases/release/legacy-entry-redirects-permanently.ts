import { CACHE } from "../../../contract/release/routes.ts";
import { expectHeader, violate } from "../../expect.ts";
import { expectAbsoluteRedirect } from "../../release/expect-redirect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const legacyEntryRedirectsPermanently: ReleaseCase = {
  id: "legacy-entry-redirects-permanently",
  title: "The legacy entry point answers 308 to the smart-download origin, kept for a day",
  section: "release contract, GET /download; Versioning; Trellis decision: its Cache-Control",
  async run(target) {
    const answer = await target.api.get("/download");
    const location = expectAbsoluteRedirect(answer, 308);
    expectHeader(answer, "Cache-Control", CACHE.legacy);
    const { smartDownloadUrl, publicSmartDownloadUrl = smartDownloadUrl } = target.input;
    if (publicSmartDownloadUrl === undefined) return;
    const home = `${publicSmartDownloadUrl.replace(/\/$/, "")}/`;
    if (location !== home && `${location}/` !== home) {
      violate(answer.asked, `Location: ${home}`, location);
    }
  },
};
