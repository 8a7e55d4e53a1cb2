import { expectEach, expectHeader, expectStatus } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { pagePath } from "../../sync/login-page.ts";
import { PUBLIC_PATHS, PROTECTED_PATHS } from "../../sync/routes.ts";
import { AUTHORIZE } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

const HEADERS = ["Content-Type", "Cache-Control", "X-Content-Type-Options", "WWW-Authenticate"];

export const headAnswersLikeGet: SyncCase = {
  id: "head-answers-like-get",
  title: "HEAD answers with the status and headers of GET and changes nothing",
  section: "Trellis decision, shared by all services: HEAD",
  async run(target) {
    const device = await target.device();
    const paths = [
      ...PUBLIC_PATHS,
      ...PROTECTED_PATHS,
      pagePath(target),
      AUTHORIZE,
      "/no/such/route",
    ];
    await expectEach(paths, async (path) => {
      const [get, head] = [
        await device.get(path),
        await target.api.send("HEAD", path, device.bearer),
      ];
      expectStatus(head, get.status);
      for (const name of HEADERS) expectHeader(head, name, get.header(name));
    });
    expectError(await target.api.get("/v1/device"), "invalid_access_token");
    expectStatus(await target.api.send("HEAD", "/v1/device"), 401);
  },
};
