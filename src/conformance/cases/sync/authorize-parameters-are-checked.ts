import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { pagePath } from "../../sync/login-page.ts";
import type { SyncCase } from "../../sync/target.ts";

export const authorizeParametersAreChecked: SyncCase = {
  id: "authorize-parameters-are-checked",
  title:
    "Every parameter of GET /v1/authorize has its grammar, and the redirect URI is exactly a configured one",
  section: "sync contract, GET /v1/authorize; Trellis decision, sync service: grammars",
  async run(target) {
    const { redirectUri } = target;
    const wrong: Record<string, string[]> = {
      response_type: ["token", "CODE", "", "code token"],
      redirect_uri: [
        "",
        "https://elsewhere.example/callback",
        `${redirectUri}/`,
        `${redirectUri}?x=1`,
        `${redirectUri}#x`,
        `${redirectUri}x`,
        ` ${redirectUri}`,
        redirectUri.toUpperCase(),
        "javascript:alert(1)",
      ],
      code_challenge: [
        "",
        "a".repeat(42),
        "a".repeat(44),
        `${"a".repeat(42)}=`,
        `${"a".repeat(42)}+`,
      ],
      state: [
        "",
        "s".repeat(15),
        "s".repeat(513),
        "sixteen letters ä",
        "sixteen characters and spaces",
      ],
      attempt_id: ["", "a".repeat(129), "a/b", "a b", "ä"],
      device_id: ["", "d".repeat(129), "d/e", "d e", "ä"],
      lang: ["", "fr", "DE", "de-DE"],
    };
    const questions = Object.entries(wrong).flatMap(([name, values]) =>
      values.map((value) => ({ [name]: value })),
    );
    await expectEach(questions, async (change) => {
      expectError(await target.api.get(pagePath(target, change)), "invalid_authorization_request");
    });
  },
};
