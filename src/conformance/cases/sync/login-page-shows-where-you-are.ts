import { expectEach, violate } from "../../expect.ts";
import { expectInstanceInfo } from "../../sync/bodies.ts";
import { pagePath, expectHtml } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

/** A pattern for a text as it stands in HTML: letters and digits as they are, the rest in any spelling. */
const escaped = (text: string) =>
  text.replaceAll(
    /[^\p{L}\p{N} ]/gu,
    (sign) => `(?:\\u{${sign.codePointAt(0)?.toString(16)}}|&#?\\w+;)`,
  );

export const loginPageShowsWhereYouAre: SyncCase = {
  id: "login-page-shows-where-you-are",
  title:
    "GET /v1/authorize answers an HTML document with the instance's name and fields that browsers fill",
  section: "sync contract, GET /v1/authorize; Instance info",
  async run(target) {
    const answer = await target.api.get(pagePath(target));
    const page = expectHtml(answer, 200);
    const { name } = expectInstanceInfo(await target.api.get("/v1/instance-info"));
    const wanted: [what: string, pattern: RegExp][] = [
      ["the instance's name", new RegExp(`>\\s*${escaped(name)}\\s*<`, "u")],
      ["a document", /^\s*<!doctype html>/i],
      ["a field that browsers fill with the user name", /autocomplete="username"/],
      ["a field that browsers fill with the password", /autocomplete="current-password"/],
      ["a hidden password", /type="password"/],
      ["a status that is announced", /role="status"|aria-live=/],
      ["a width that follows the screen", /<meta\s+name="viewport"/],
    ];
    await expectEach(wanted, ([what, pattern]) => {
      if (!pattern.test(page)) violate(answer.asked, `a page with ${what}`, "one without");
    });
  },
};
