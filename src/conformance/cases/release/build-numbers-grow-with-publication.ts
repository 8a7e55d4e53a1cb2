import { parseDateTime } from "../../../contract/date-time.ts";
import { violate } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const buildNumbersGrowWithPublication: ReleaseCase = {
  id: "build-numbers-grow-with-publication",
  title: "A release that was published later has the higher build number, across both channels",
  section: "release contract, What the service does: convention 6; Versioning",
  async run(target) {
    const published = await target.published();
    for (const [index, newer] of published.entries()) {
      const older = published[index + 1];
      if (older === undefined) return;
      const asked = "GET /api/v1/releases of both channels";
      if (newer.buildNumber === older.buildNumber) {
        const received = `${newer.version} and ${older.version} with ${newer.buildNumber}`;
        violate(asked, "a build number of its own for each release", received);
      }
      const [later, earlier] = [newer, older].map((item) => parseDateTime(item.publishedAt) ?? 0);
      if ((later ?? 0) >= (earlier ?? 0)) continue;
      const received = `${newer.publishedAt} of build ${newer.buildNumber}`;
      violate(asked, `publication not before build ${older.buildNumber}`, received);
    }
  },
};
