import { expectSame, violate } from "../../expect.ts";
import { expectInstanceInfo } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const instanceInfoNamesTheInstance: SyncCase = {
  id: "instance-info-names-the-instance",
  title: "GET /v1/instance-info answers name, public base URL and that an account exists",
  section: "sync contract, Instance info; Trellis decision, sync service: its members",
  async run(target) {
    const answer = await target.api.get("/v1/instance-info");
    const { name, baseUrl, initialized } = expectInstanceInfo(answer);
    expectSame(answer, "initialized", initialized, true);
    expectSame(answer, "baseUrl", baseUrl.replace(/\/$/, ""), target.publicUrl);
    const { displayName } = target.input;
    if (displayName !== undefined) expectSame(answer, "name", name, displayName);
    if (name.trim() === "") violate(answer.asked, "a display name", "an empty one");
  },
};
