import {
  askToAuthorize,
  expectAccepted,
  expectRefusal,
  type Fields,
} from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const requestObjectsAreRefused: EventsCase = {
  id: "request-objects-are-refused",
  level: "trellis",
  title: "request, request_uri and another response mode than query are invalid_request",
  section: "Trellis decision, events service: authorize, check 8",
  async run(target) {
    const wrong: Fields[] = [
      { request: "eyJhbGciOiJub25lIn0.e30." },
      { request_uri: "https://app.example/request" },
      { response_mode: "fragment" },
      { response_mode: "form_post" },
    ];
    await expectEach(wrong, async (changes) => {
      expectRefusal(target, await askToAuthorize(target, changes), "invalid_request");
    });
    expectAccepted(target, await askToAuthorize(target, { response_mode: "query" }));
  },
};
