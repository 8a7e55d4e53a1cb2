import { authorizePath, newAttempt } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";

export const consentIsAskedEveryTime: EventsCase = {
  id: "consent-is-asked-every-time",
  level: "trellis",
  title: "Whoever is signed in already is asked for consent all the same",
  section: "Trellis decision, events service: consent is asked every time; a GET makes no code",
  async run(target) {
    const browser = await target.signedIn();
    await target.arrival();
    await openConsent(target, browser, authorizePath(await newAttempt(target)));
  },
};
