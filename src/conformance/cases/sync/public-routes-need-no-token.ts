import { expectEach, expectStatus } from "../../expect.ts";
import { pagePath } from "../../sync/login-page.ts";
import { PUBLIC_PATHS } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const publicRoutesNeedNoToken: SyncCase = {
  id: "public-routes-need-no-token",
  title: "Public routes answer alike with no token and with a wrong one, and the sign-in page too",
  section: "sync contract, Endpoints: public",
  async run(target) {
    const headers = { Authorization: "Bearer trs_at_wrong" };
    await expectEach([...PUBLIC_PATHS, pagePath(target)], async (path) => {
      expectStatus(await target.api.get(path), 200);
      expectStatus(await target.api.get(path, headers), 200);
    });
  },
};
