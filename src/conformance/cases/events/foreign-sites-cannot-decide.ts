import { authorizePath, newAttempt } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";
import { expectEach, expectStatus } from "../../expect.ts";

export const foreignSitesCannotDecide: EventsCase = {
  id: "foreign-sites-cannot-decide",
  level: "trellis",
  title: "A decision that a browser says comes from another site is 403",
  section: "Trellis decision, events service: Sec-Fetch-Site",
  async run(target) {
    const browser = await target.signedIn();
    const form = await openConsent(target, browser, authorizePath(await newAttempt(target)));
    await expectEach(["cross-site", "same-site"], async (site) => {
      const fields = { ...form, action: "allow" };
      expectStatus(await browser.submit("/consent", fields, { "Sec-Fetch-Site": site }), 403);
    });
  },
};
