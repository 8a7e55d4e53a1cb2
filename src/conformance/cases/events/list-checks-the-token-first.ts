import { expectError } from "../../events/bodies.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const listChecksTheTokenFirst: EventsCase = {
  id: "list-checks-the-token-first",
  level: "trellis",
  title: "What is wrong with the query is said after what is wrong with the token",
  section: "Trellis decision, events service: events, the order of the checks",
  async run({ api }) {
    expectStatus(await api.get(`${EVENTS}?limit=0`), 401);
    const Authorization = `Bearer ${randomText(43)}`;
    expectError(await api.get(`${EVENTS}?limit=0`, { Authorization }), "invalid_token");
  },
};
