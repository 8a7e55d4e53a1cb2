import { authorizePath, newAttempt } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHeader, expectStatus } from "../../expect.ts";

export const headBeginsNothing: EventsCase = {
  id: "head-begins-nothing",
  level: "trellis",
  title: "HEAD of an authorization request sets no cookie",
  section: "Trellis decision, events service: HEAD changes nothing",
  async run(target) {
    const path = authorizePath(await newAttempt(target));
    const answer = await target.api.send("HEAD", path);
    expectStatus(answer, 302);
    expectHeader(answer, "Set-Cookie", undefined);
  },
};
