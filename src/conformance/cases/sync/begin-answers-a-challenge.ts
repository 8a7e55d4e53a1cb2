import { expectEach, expectSame, violate } from "../../expect.ts";
import { expectChallenge } from "../../sync/bodies.ts";
import { newAttempt, begin } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

/** The answer comes from a person, within minutes. */
const LIFETIME_SECONDS = 300;

export const beginAnswersAChallenge: SyncCase = {
  id: "begin-answers-a-challenge",
  title: "begin answers exactly a challenge: id, salt of 16 bytes, iterations, nonce and expiry",
  section: "sync contract, POST /v1/authorize; Trellis decision, sync service: password proof",
  async run(target) {
    const before = Date.now();
    const { attempt } = await newAttempt(target);
    const answer = await begin(target, attempt);
    const { challengeId, salt, iterations, serverNonce, expiresAt } = expectChallenge(answer);
    expectSame(answer, "bytes of salt", Buffer.from(salt, "base64url").length, 16);
    await expectEach([challengeId, salt, serverNonce], (text) => {
      if (/^[A-Za-z0-9_-]{22,}$/.test(text)) return;
      violate(answer.asked, "unpadded Base64URL of at least 16 bytes", text);
    });
    if (iterations < 100_000 || iterations > 10_000_000) {
      violate(answer.asked, "iterations that browsers accept", String(iterations));
    }
    // A minute of difference between the two clocks is no fault.
    const lifetime = (Date.parse(expiresAt) - before) / 1000;
    if (lifetime > 0 && lifetime <= LIFETIME_SECONDS + 60) return;
    violate(answer.asked, `an expiry within ${LIFETIME_SECONDS} s`, expiresAt);
  },
};
