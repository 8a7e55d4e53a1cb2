/** Nothing on the API may show that a version exists. */
import { RELEASE_CHANNELS } from "../../contract/release/values.ts";
import { violate } from "../expect.ts";
import { expectDecision, expectError } from "./bodies.ts";
import { updatePath } from "./paths.ts";
import type { ReleaseTarget } from "./target.ts";

export async function expectHidden(target: ReleaseTarget, version: string): Promise<void> {
  for (const path of [`/api/v1/releases/${version}`, `/api/v1/releases/${version}/downloads`]) {
    expectError(await target.api.get(path), "release_not_found");
  }
  for (const channel of RELEASE_CHANNELS) {
    const releases = await target.list(channel);
    if (releases.some((release) => release.version === version)) {
      violate(`GET /api/v1/releases?channel=${channel}`, `no ${version} in the list`, version);
    }
    if (releases.length === 0) continue;
    const answer = await target.api.get(updatePath({ version: "0.0.1", build: 1, channel }));
    if (expectDecision(answer).target.version === version) {
      violate(answer.asked, `another target than ${version}`, version);
    }
  }
}
