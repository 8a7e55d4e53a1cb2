import { expectEach, violate } from "../../expect.ts";
import { expectAbsoluteRedirect } from "../../release/expect-redirect.ts";
import { askSelector, expectDownloadRoute } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ABSENT = [
  "arch=",
  "arch=.",
  "arch=..",
  "arch=%2E%2E",
  "arch=x64&arch=arm64",
  "arch=%zz",
  "arch",
];
const ENCODED = ["a/b", "../../health", "x 64", "a?b=c", "a#b", "a%b", "%2F", "ä", "x+64", "a\\b"];

export const selectorArchitectureIsOneSegment: ReleaseCase = {
  id: "selector-architecture-is-one-segment",
  title:
    "An architecture becomes one encoded path segment; empty, repeated or dots count as absent",
  section: "release contract, GET {smart_download_url}/: arch; Trellis decision: arch",
  async run(target) {
    await expectEach(ABSENT, async (query) => {
      const answer = await askSelector(target, `platform=linux&${query}`);
      expectDownloadRoute(target, answer, "linux/x64");
    });
    const route = `${target.publicUrl}/api/v1/download/linux/`;
    await expectEach(ENCODED, async (architecture) => {
      const query = `platform=linux&arch=${encodeURIComponent(architecture)}`;
      const answer = await askSelector(target, query);
      const location = expectAbsoluteRedirect(answer);
      const segment = location.slice(route.length);
      const isOneSegment = location.startsWith(route) && !/[/?#\\ ]/.test(segment);
      if (!isOneSegment || decode(segment) !== architecture) {
        violate(answer.asked, `Location: ${route}${encodeURIComponent(architecture)}`, location);
      }
    });
  },
};

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
