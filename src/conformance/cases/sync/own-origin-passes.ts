import { expectEach, expectStatus } from "../../expect.ts";
import { pagePath } from "../../sync/login-page.ts";
import { PUBLIC_PATHS, PROTECTED_PATHS } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const ownOriginPasses: SyncCase = {
  id: "own-origin-passes",
  title: "A request that names the service's own origin is served",
  section: "Trellis decision, sync service: cors_denied",
  async run(target) {
    const { origin: Origin } = new URL(target.publicUrl);
    const device = await target.device();
    await expectEach([...PUBLIC_PATHS, ...PROTECTED_PATHS, pagePath(target)], async (path) => {
      expectStatus(await device.get(path, { Origin }), 200);
    });
  },
};
