import { expectEach, expectHeaderMatch } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { POST_ROUTES, PROTECTED_PATHS } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const protectedRoutesNeedAToken: SyncCase = {
  id: "protected-routes-need-a-token",
  title: "Without a live access token a protected route is 401 with WWW-Authenticate: Bearer",
  section: "sync contract, Authentication 5; Trellis decision, sync service: invalid_access_token",
  async run(target) {
    const { api } = target;
    const device = await target.device();
    const { accessToken, refreshToken } = device.tokens;
    const headers = [
      {},
      { Authorization: "" },
      { Authorization: "Bearer" },
      { Authorization: accessToken },
      { Authorization: `Basic ${accessToken}` },
      { Authorization: `Bearer ${refreshToken}` },
      { Authorization: `Bearer ${accessToken}x` },
      { Authorization: `Bearer ${accessToken.slice(0, -1)}` },
      { Authorization: `Bearer trs_at_${"A".repeat(43)}` },
      { Cookie: `access_token=${accessToken}` },
    ];
    const questions = [
      ...headers.map((header) => () => api.get("/v1/device", header)),
      ...PROTECTED_PATHS.map((path) => () => api.get(path)),
      ...POST_ROUTES.filter(({ isProtected }) => isProtected).map(
        ({ path, harmless }) =>
          () =>
            target.post(path, harmless),
      ),
      () => api.send("DELETE", "/v1/device"),
    ];
    await expectEach(questions, async (ask) => {
      const answer = await ask();
      expectError(answer, "invalid_access_token");
      expectHeaderMatch(answer, "WWW-Authenticate", /^Bearer\b/, "Bearer");
    });
  },
};
