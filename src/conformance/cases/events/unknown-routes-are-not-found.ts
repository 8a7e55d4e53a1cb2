import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectHeaderMatch, expectStatus } from "../../expect.ts";

export const unknownRoutesAreNotFound: EventsCase = {
  id: "unknown-routes-are-not-found",
  level: "trellis",
  title: "There is nothing at other addresses; a person is told so by a page",
  section: "Trellis decision, events service: errors, not_found",
  async run({ api }) {
    await expectEach(["/no/such/route", "/api", "/api/oauth", "/api/users"], async (path) => {
      expectError(await api.get(path), "not_found");
    });
    const page = await api.get("/no/such/route", { Accept: "text/html" });
    expectStatus(page, 404);
    expectHeaderMatch(page, "Content-Type", /^text\/html/, "a page");
  },
};
