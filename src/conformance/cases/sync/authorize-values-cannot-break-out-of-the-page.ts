import { violate } from "../../expect.ts";
import { pagePath, expectHtml } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

export const authorizeValuesCannotBreakOutOfThePage: SyncCase = {
  id: "authorize-values-cannot-break-out-of-the-page",
  title: "What comes in the query is never markup on the page",
  section: "sync contract, GET /v1/authorize; Authentication 9",
  async run(target) {
    const state = "'\"><script>x</script>";
    const page = expectHtml(await target.api.get(pagePath(target, { state })), 200);
    if (page.includes("<script>x")) violate("GET /v1/authorize", "an escaped state", "markup");
    const html = { Accept: "text/html" };
    const wrong = await target.api.get(pagePath(target, { lang: state }), html);
    if (expectHtml(wrong, 400).includes("<script>x")) {
      violate(wrong.asked, "an escaped address", "markup");
    }
  },
};
