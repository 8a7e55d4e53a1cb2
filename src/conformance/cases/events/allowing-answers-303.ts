import { authorizePath, describeRedirect, newAttempt, readReturn } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";
import { expectStatus, violate } from "../../expect.ts";

export const allowingAnswers303: EventsCase = {
  id: "allowing-answers-303",
  level: "trellis",
  title: "The decision is answered with a 303 to the app",
  section: "Trellis decision, events service: authorize, allowed",
  async run(target) {
    const browser = await target.signedIn();
    const form = await openConsent(target, browser, authorizePath(await newAttempt(target)));
    const answer = await browser.submit("/consent", { ...form, action: "allow" });
    expectStatus(answer, 303);
    const returned = readReturn(answer.header("Location") ?? "", target.redirectUri);
    if (returned?.has("code") !== true) {
      violate(answer.asked, "the app's address with a code", describeRedirect(answer));
    }
  },
};
