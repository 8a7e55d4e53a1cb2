import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const wrongRedemptionsBurnTheCode: SyncCase = {
  id: "wrong-redemptions-burn-the-code",
  title: "A wrong verifier, redirect URI or attempt burns the code before it is noticed",
  section: "sync contract, POST /v1/token: burns the code first",
  async run(target) {
    const changes = [
      { codeVerifier: "another-verifier-of-at-least-forty-three-characters" },
      { codeVerifier: "short" },
      { redirectUri: "https://elsewhere.example/callback" },
      { attemptId: "another-attempt" },
    ];
    await expectEach(changes, async (change) => {
      const grant = await obtainGrant(target);
      expectError(await target.post("/v1/token", { ...grant, ...change }), "invalid_grant");
      expectError(await target.post("/v1/token", grant), "invalid_grant");
    });
  },
};
