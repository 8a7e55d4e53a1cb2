import { askToAuthorize, type Fields } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const refusalsAreExplainedInAscii: EventsCase = {
  id: "refusals-are-explained-in-ascii",
  level: "trellis",
  title: "A redirect with an error explains it in printable ASCII without quotes and backslashes",
  section: "Trellis decision, events service: error texts in addresses (RFC 6749 4.1.2.1)",
  async run(target) {
    const wrong: Fields[] = [
      { response_type: "token" },
      { scope: "\u00e4" },
      { code_challenge: undefined },
      { request: "x" },
    ];
    await expectEach(wrong, async (changes) => {
      const answer = await askToAuthorize(target, changes);
      const [, search = ""] = (answer.header("Location") ?? "").split("?");
      const text = new URLSearchParams(search).get("error_description") ?? "";
      if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(text)) {
        violate(answer.asked, "an error_description in ASCII", describeValue(text));
      }
    });
  },
};
