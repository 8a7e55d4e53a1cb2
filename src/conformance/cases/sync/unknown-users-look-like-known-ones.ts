import { expectSame, violate } from "../../expect.ts";
import { expectChallenge } from "../../sync/bodies.ts";
import { newAttempt, begin, challenge } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const unknownUsersLookLikeKnownOnes: SyncCase = {
  id: "unknown-users-look-like-known-ones",
  title:
    "A name that does not exist gets a challenge of the same shape, and a stable salt of its own",
  section: "sync contract, Authentication 6; Trellis decision, sync service: unknown users",
  async run(target) {
    const known = (await challenge(target)).challenge;
    const saltOf = async (username: string) => {
      const answer = await begin(target, (await newAttempt(target, { username })).attempt);
      const posed = expectChallenge(answer);
      expectSame(answer, "iterations", posed.iterations, known.iterations);
      expectSame(answer, "length of salt", posed.salt.length, known.salt.length);
      expectSame(
        answer,
        "length of challengeId",
        posed.challengeId.length,
        known.challengeId.length,
      );
      expectSame(
        answer,
        "length of serverNonce",
        posed.serverNonce.length,
        known.serverNonce.length,
      );
      return posed.salt;
    };
    const nobody = target.newId("nobody");
    const asked = "POST /v1/authorize begin, for names that do not exist";
    const salt = await saltOf(nobody);
    expectSame(asked, "salt at every asking", await saltOf(nobody), salt);
    if ((await saltOf(target.newId("nobody"))) === salt)
      violate(asked, "a salt for each name", "one");
    if (salt === known.salt) violate(asked, "another salt than the account's", "the same");
  },
};
