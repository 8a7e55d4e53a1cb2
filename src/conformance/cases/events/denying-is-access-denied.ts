import { authorizePath, expectRefusal, newAttempt } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";
import { expectSame, expectStatus } from "../../expect.ts";

export const denyingIsAccessDenied: EventsCase = {
  id: "denying-is-access-denied",
  level: "trellis",
  title: "A person who denies is sent back with access_denied, the state and the issuer",
  section: "Trellis decision, events service: authorize, denied",
  async run(target) {
    const browser = await target.signedIn();
    const { fields, state } = await newAttempt(target);
    const form = await openConsent(target, browser, authorizePath({ fields }));
    const answer = await browser.submit("/consent", { ...form, action: "deny" });
    expectStatus(answer, 303);
    const returned = expectRefusal(target, answer, "access_denied");
    expectSame(answer, "state", returned.getAll("state"), [state]);
    expectSame(answer, "iss", returned.getAll("iss"), [target.publicUrl]);
  },
};
