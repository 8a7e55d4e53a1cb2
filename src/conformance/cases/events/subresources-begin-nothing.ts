import { authorizePath, newAttempt } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectHeader, expectStatus } from "../../expect.ts";

export const subresourcesBeginNothing: EventsCase = {
  id: "subresources-begin-nothing",
  level: "trellis",
  title: "An authorization request that a browser makes for an image or a frame begins nothing",
  section: "Trellis decision, events service: Sec-Fetch-Dest",
  async run(target) {
    const path = authorizePath(await newAttempt(target));
    await expectEach(["image", "iframe", "empty"], async (destination) => {
      const answer = await target.api.get(path, { "Sec-Fetch-Dest": destination });
      expectStatus(answer, 302);
      expectHeader(answer, "Set-Cookie", undefined);
    });
  },
};
