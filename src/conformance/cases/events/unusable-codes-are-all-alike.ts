import type { Fields } from "../../events/authorize.ts";
import { expectError } from "../../events/bodies.ts";
import { TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach, violate } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const unusableCodesAreAllAlike: EventsCase = {
  id: "unusable-codes-are-all-alike",
  level: "trellis",
  title: "Whatever is wrong with a code, the answer is the same invalid_grant",
  section: "Trellis decision, events service: token, one text for all",
  async run(target) {
    const [first, second] = [await target.newGrant(), await target.newGrant()];
    const wrong: Fields[] = [
      { ...first, code: randomText(43) },
      { ...first, code: "x" },
      { ...first, code_verifier: randomText(64) },
      first,
      { ...second, redirect_uri: `${target.redirectUri}x` },
    ];
    const texts = new Set<string>();
    await expectEach(wrong, async (fields) => {
      texts.add(expectError(await target.redeem(fields), "invalid_grant").error_description);
    });
    if (texts.size > 1) violate(TOKEN, "one error_description for all", [...texts].join(", "));
  },
};
