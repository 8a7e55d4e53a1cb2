import { expectEach } from "../../expect.ts";
import { pagePath, expectLanguage } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

const QUESTIONS: [lang: string | null, accept: string | null, language: string][] = [
  ["de", null, "de"],
  ["en", null, "en"],
  ["de", "en", "de"],
  ["en", "de", "en"],
  [null, null, "en"],
  [null, "de", "de"],
  [null, "de-AT,de;q=0.9,en;q=0.5", "de"],
  [null, "en;q=0.9,de;q=0.1", "en"],
  [null, "fr,it;q=0.5", "en"],
  [null, "fr,de;q=0.5", "de"],
];

export const loginPageSpeaksGermanAndEnglish: SyncCase = {
  id: "login-page-speaks-german-and-english",
  title: "lang decides the language, then Accept-Language, then English",
  section: "sync contract, GET /v1/authorize: lang; Trellis decision, sync service: lang absent",
  async run(target) {
    await expectEach(QUESTIONS, async ([lang, accept, language]) => {
      const path = pagePath(target, lang === null ? {} : { lang });
      const headers = accept === null ? {} : { "Accept-Language": accept };
      expectLanguage(await target.api.get(path, headers), language);
    });
  },
};
