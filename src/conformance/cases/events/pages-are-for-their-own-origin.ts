import { AUTHORIZE } from "../../events/authorize.ts";
import { HEALTH } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectHeader, expectStatus } from "../../expect.ts";
import { askPreflight } from "../../every-service/preflight.ts";

const ORIGIN = "https://app.example.org";

export const pagesAreForTheirOwnOrigin: EventsCase = {
  id: "pages-are-for-their-own-origin",
  level: "trellis",
  title: "No other website may read a page where cookies count, and preflights there are 405",
  section: "Trellis decision, events service: CORS",
  async run(target) {
    const paths = [AUTHORIZE, "/", "/sign-in", "/consent", "/account/apps", HEALTH];
    await expectEach(paths, async (path) => {
      const shown = await target.api.get(path, { Origin: ORIGIN, Accept: "text/html" });
      expectHeader(shown, "Access-Control-Allow-Origin", undefined);
      const asked = await askPreflight(target, ORIGIN, path, "POST", ["content-type"]);
      expectStatus(asked, 405);
      expectHeader(asked, "Access-Control-Allow-Origin", undefined);
    });
  },
};
