import { REVOKE, type EventsCase } from "../../events/target.ts";
import { expectEach, expectHeader } from "../../expect.ts";

export const tokenAnswersAreNeverStored: EventsCase = {
  id: "token-answers-are-never-stored",
  level: "trellis",
  title: "Every answer of the token and the revocation route is no-store, for old caches too",
  section: "Trellis decision, events service: token, every answer (RFC 6749 5.1)",
  async run(target) {
    const client_id = target.clientId();
    const answers = [
      await target.redeemed(),
      await target.redeem({}),
      await target.postForm(REVOKE, {}),
      await target.postForm(REVOKE, { token: "none", client_id }),
    ];
    await expectEach(answers, (answer) => {
      expectHeader(answer, "Cache-Control", "no-store");
      expectHeader(answer, "Pragma", "no-cache");
    });
  },
};
