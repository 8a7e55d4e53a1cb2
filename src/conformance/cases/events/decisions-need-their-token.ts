import { authorizePath, newAttempt } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";
import { expectEach, expectStatus } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const decisionsNeedTheirToken: EventsCase = {
  id: "decisions-need-their-token",
  level: "trellis",
  title: "A decision without the token of the page is 403",
  section: "Trellis decision, events service: a failed CSRF check",
  async run(target) {
    const browser = await target.signedIn();
    const form = await openConsent(target, browser, authorizePath(await newAttempt(target)));
    await expectEach(["", randomText(43)], async (csrf) => {
      expectStatus(await browser.submit("/consent", { ...form, csrf, action: "allow" }), 403);
    });
  },
};
