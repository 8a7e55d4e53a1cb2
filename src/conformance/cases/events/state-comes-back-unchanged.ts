import { AUTHORIZE } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const stateComesBackUnchanged: EventsCase = {
  id: "state-comes-back-unchanged",
  level: "contract",
  title: "The redirect has the state that the client sent, once and unchanged",
  section: "events contract, GET /api/oauth/authorize: state; Authentication 2",
  async run(target) {
    const { attempt, returned } = await target.arrival();
    expectSame(AUTHORIZE, "state", returned.getAll("state"), [attempt.state]);
  },
};
