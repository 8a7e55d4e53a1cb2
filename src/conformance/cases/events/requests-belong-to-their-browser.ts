import { authorizePath, newAttempt } from "../../events/authorize.ts";
import { openConsent, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

export const requestsBelongToTheirBrowser: EventsCase = {
  id: "requests-belong-to-their-browser",
  level: "trellis",
  title: "A request that was begun in one browser cannot be seen or decided in another",
  section: "Trellis decision, events service: an interaction is bound to a cookie",
  async run(target) {
    const [browser, other] = [await target.signedIn(), target.newBrowser()];
    await other.signIn("/sign-in", target.account());
    const { interaction } = await openConsent(
      target,
      browser,
      authorizePath(await newAttempt(target)),
    );
    expectStatus(await other.get(`/consent?interaction=${interaction}`), 400);
    const own = await openConsent(target, other, authorizePath(await newAttempt(target)));
    const fields = { ...own, interaction, action: "allow" };
    expectStatus(await other.submit("/consent", fields), 400);
  },
};
