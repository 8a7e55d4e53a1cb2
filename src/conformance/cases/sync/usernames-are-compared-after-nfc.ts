import { expectSame, violate } from "../../expect.ts";
import { challenge } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const usernamesAreComparedAfterNfc: SyncCase = {
  id: "usernames-are-compared-after-nfc",
  title: "Two spellings of one name are one user, and letters of another case another one",
  section: "Trellis decision, sync service: username",
  async run(target) {
    const name = target.newId("nobody");
    const saltOf = async (username: string) =>
      (await challenge(target, { username })).challenge.salt;
    const asked = "POST /v1/authorize begin";
    const composed = await saltOf(`${name}-\u00e9`);
    expectSame(asked, "salt of the decomposed name", await saltOf(`${name}-e\u0301`), composed);
    if ((await saltOf(`${name}-\u00c9`)) === composed) violate(asked, "another salt", "the same");
  },
};
