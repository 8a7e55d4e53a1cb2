import { NotTestable } from "../../case.ts";
import { expectSame, violate } from "../../expect.ts";
import { expectDecision, expectRelease } from "../../release/bodies.ts";
import { updatePath } from "../../release/paths.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const betaIsServedOnlyWhenAsked: ReleaseCase = {
  id: "beta-is-served-only-when-asked",
  title: "Without a channel every route speaks of stable releases",
  section: "release contract, What the service does: convention 3",
  async run(target) {
    const stable = await target.latest("stable");
    if (stable === null) throw new NotTestable("The server has no stable release");
    const latest = await target.api.get("/api/v1/releases/latest");
    expectSame(latest, "release", expectRelease(latest), stable);

    const update = await target.api.get(updatePath({ version: "0.0.1", build: 1 }));
    const { version, buildNumber } = stable;
    expectSame(update, "target", expectDecision(update).target, { version, buildNumber });

    const urls = new Set(stable.artifacts.map(({ url }) => url));
    for (const platform of ["android", "windows", "linux", "macos"]) {
      const download = await target.api.get(`/api/v1/download/${platform}`);
      const location = download.header("Location");
      if (download.status === 302 && !urls.has(location ?? "")) {
        violate(download.asked, `an artifact of ${version}`, location ?? "no Location");
      }
    }
  },
};
