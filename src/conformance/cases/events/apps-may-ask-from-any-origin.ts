import { METADATA } from "../../events/routes.ts";
import { EVENTS, REVOKE, TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeader, expectHeaderMatch } from "../../expect.ts";

const FROM_AN_APP = { Origin: "https://app.example.org" };

export const appsMayAskFromAnyOrigin: EventsCase = {
  id: "apps-may-ask-from-any-origin",
  level: "trellis",
  title: "Any website may read what the routes of apps answer, failures too, without credentials",
  section: "Trellis decision, events service: CORS",
  async run(target) {
    const answers = [
      await target.api.get(METADATA, FROM_AN_APP),
      await target.postForm(TOKEN, { grant_type: "password" }, FROM_AN_APP),
      await target.postForm(REVOKE, {}, FROM_AN_APP),
      await target.api.get(`${EVENTS}?limit=1`, FROM_AN_APP),
      await target.api.send("PUT", EVENTS, FROM_AN_APP),
    ];
    await expectEach(answers, (answer) => {
      expectHeader(answer, "Access-Control-Allow-Origin", "*");
      expectHeader(answer, "Access-Control-Allow-Credentials", undefined);
      for (const name of ["Link", "Retry-After", "WWW-Authenticate"]) {
        const pattern = new RegExp(`(?:^|[ ,])${name}(?:,|$)`, "i");
        expectHeaderMatch(answer, "Access-Control-Expose-Headers", pattern, name);
      }
    });
  },
};
