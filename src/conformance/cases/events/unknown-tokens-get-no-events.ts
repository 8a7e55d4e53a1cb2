import { expectFailure } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const unknownTokensGetNoEvents: EventsCase = {
  id: "unknown-tokens-get-no-events",
  level: "contract",
  title: "With a token that was never given there are no events",
  section: "events contract, Authentication 3 and 4; Errors",
  async run({ api }) {
    const Authorization = `Bearer ${randomText(43)}`;
    expectFailure(await api.get(`${EVENTS}?${query(CLIENT_LIMIT)}`, { Authorization }));
  },
};
