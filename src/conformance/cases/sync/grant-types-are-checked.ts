import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const grantTypesAreChecked: SyncCase = {
  id: "grant-types-are-checked",
  title:
    "Another grant type is unsupported_grant_type at both token routes, a missing one invalid_request",
  section: "Trellis decision, sync service: grantType",
  async run(target) {
    const code = "none";
    const token = { code, codeVerifier: "none", redirectUri: "none", attemptId: "none" };
    const refresh = { refreshToken: "none" };
    await expectEach(["password", "refresh_token", "", "AUTHORIZATION_CODE"], async (grantType) => {
      expectError(
        await target.post("/v1/token", { ...token, grantType }),
        "unsupported_grant_type",
      );
    });
    await expectEach(["authorization_code", "", "refresh-token"], async (grantType) => {
      expectError(
        await target.post("/v1/refresh", { ...refresh, grantType }),
        "unsupported_grant_type",
      );
    });
    expectError(await target.post("/v1/token", token), "invalid_request");
    expectError(await target.post("/v1/refresh", refresh), "invalid_request");
  },
};
