import { RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { expectEach, expectSame, violate } from "../../expect.ts";
import { expectList } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const listHoldsOneChannel: ReleaseCase = {
  id: "list-holds-one-channel",
  title: "A list holds releases of the asked channel only, stable when none is asked",
  section: "release contract, GET /api/v1/releases; What the service does: convention 3",
  async run(target) {
    await expectEach(RELEASE_CHANNELS, async (channel) => {
      const stray = (await target.list(channel)).find((release) => release.channel !== channel);
      if (stray === undefined) return;
      const asked = `GET /api/v1/releases?channel=${channel}`;
      violate(asked, `only ${channel} releases`, `${stray.version} of ${stray.channel}`);
    });
    const silent = await target.api.get("/api/v1/releases");
    const explicit = await target.api.get("/api/v1/releases?channel=stable");
    expectSame(silent, "the stable list", expectList(silent), expectList(explicit));
  },
};
