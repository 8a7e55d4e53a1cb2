import { expectHeader, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { challenge, completion, complete } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const unknownUsersFailLikeKnownOnes: SyncCase = {
  id: "unknown-users-fail-like-known-ones",
  title: "A name that does not exist and a wrong password give the same status, code and message",
  section: "sync contract, Authentication 6; Errors 3",
  async run(target) {
    await target.failing(async () => {
      const fail = async (username: string) => {
        const challenged = await challenge(target, { username });
        const answer = await complete(
          target,
          await completion(target, challenged, "a wrong password"),
        );
        return { answer, body: expectError(answer, "authentication_failed") };
      };
      const known = await fail(target.input.username);
      const unknown = await fail(target.newId("nobody"));
      expectSame(unknown.answer, "message", unknown.body.message, known.body.message);
      const names = ["WWW-Authenticate", "Content-Length", "Retry-After"];
      for (const name of names) expectHeader(unknown.answer, name, known.answer.header(name));
    });
  },
};
