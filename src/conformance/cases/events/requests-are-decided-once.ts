import { authorizePath, newAttempt } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

export const requestsAreDecidedOnce: EventsCase = {
  id: "requests-are-decided-once",
  level: "trellis",
  title: "A request that was decided cannot be decided again",
  section: "Trellis decision, events service: an interaction is of single use",
  async run(target) {
    const browser = await target.signedIn();
    const form = await openConsent(target, browser, authorizePath(await newAttempt(target)));
    expectStatus(await browser.submit("/consent", { ...form, action: "deny" }), 303);
    expectStatus(await browser.submit("/consent", { ...form, action: "allow" }), 400);
  },
};
