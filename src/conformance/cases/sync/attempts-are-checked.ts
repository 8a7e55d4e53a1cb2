import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { newAttempt, postAuthorize } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const attemptsAreChecked: SyncCase = {
  id: "attempts-are-checked",
  title: "Whatever is wrong with a member of attempt is invalid_authorization_request",
  section: "sync contract, Authorization attempt; Trellis decision, sync service: grammars",
  async run(target) {
    const { attempt } = await newAttempt(target);
    const { redirectUri } = target;
    const changes: Record<string, unknown[]> = {
      username: [undefined, null, 1, "", "u".repeat(129), "with\u0000control", "with\ncontrol"],
      codeChallenge: [undefined, 1, "", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`],
      redirectUri: [
        undefined,
        1,
        "",
        `${redirectUri}/`,
        "https://elsewhere.example/",
        [redirectUri],
      ],
      attemptId: [undefined, 1, "", "a/b", "a".repeat(129)],
      deviceId: [undefined, 1, "", "d e", "d".repeat(129)],
      extra: [1],
    };
    const attempts = Object.entries(changes).flatMap(([name, values]) =>
      values.map((value) => ({ ...attempt, [name]: value })),
    );
    await expectEach([...attempts, null, [], "attempt", {}], async (wrong) => {
      const body = { action: "begin", csrf: attempt.state, attempt: wrong };
      expectError(
        await postAuthorize(target, body, attempt.state),
        "invalid_authorization_request",
      );
    });
    await expectEach(
      ["s".repeat(15), "s".repeat(513), "sixteen or more with spaces"],
      async (state) => {
        const body = { action: "begin", csrf: state, attempt: { ...attempt, state } };
        expectError(await postAuthorize(target, body, state), "invalid_authorization_request");
      },
    );
  },
};
