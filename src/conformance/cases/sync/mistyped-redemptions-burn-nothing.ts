import { expectEach } from "../../expect.ts";
import { expectTokens, expectError } from "../../sync/bodies.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const mistypedRedemptionsBurnNothing: SyncCase = {
  id: "mistyped-redemptions-burn-nothing",
  title:
    "A token request with wrong types, missing or unknown members is invalid_request and leaves the code",
  section: "Trellis decision, sync service: a token request burns nothing",
  async run(target) {
    const grant = await obtainGrant(target);
    const { attemptId: _attemptId, ...withoutAttempt } = grant;
    const { grantType: _grantType, ...withoutType } = grant;
    const wrong = [
      withoutAttempt,
      withoutType,
      { ...grant, codeVerifier: 1 },
      { ...grant, code: [grant.code] },
      { ...grant, redirectUri: null },
      { ...grant, extra: 1 },
    ];
    await expectEach(wrong, async (body) => {
      expectError(await target.post("/v1/token", body), "invalid_request");
    });
    expectTokens(await target.post("/v1/token", grant));
  },
};
