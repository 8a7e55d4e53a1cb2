import { expectEach } from "../../expect.ts";
import { pagePath, expectHtml } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

const RIGHT = [
  { state: "s".repeat(16) },
  { state: "s".repeat(512) },
  { state: "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~" },
  { attempt_id: "a" },
  { attempt_id: "a".repeat(128) },
  { device_id: "d" },
  { device_id: `A.z_0~9-${"d".repeat(120)}` },
];

export const authorizeAcceptsTheWholeGrammar: SyncCase = {
  id: "authorize-accepts-the-whole-grammar",
  title:
    "The shortest and the longest state and ids are accepted, with every character they may have",
  section: "Trellis decision, sync service: grammars",
  async run(target) {
    await expectEach(RIGHT, async (change) => {
      expectHtml(await target.api.get(pagePath(target, change)), 200);
    });
  },
};
