import type { ReleaseSummary } from "../../src/contract/release/schemas.ts";
import { RELEASE_CHANNELS, type ReleaseChannel } from "../../src/contract/release/values.ts";
import { skipUnless } from "../case.ts";
import { memoize } from "../check.ts";
import type { HttpClient, Origin } from "../http.ts";
import { expectList, expectRelease } from "./expectations.ts";
import { RELEASE_HTTP } from "./http-table.ts";
import type { ReleaseInput } from "./input.ts";
import { findOtherRequests, findSamples } from "./requests.ts";
import type { ReleaseServerUnderTest } from "./server-under-test.ts";

const LIST_LIMIT = 100;
// Two thousand releases show every error of a list that a longer one would.
const MAX_LIST_PAGES = 20;

export function createReleaseServerUnderTest(
  input: ReleaseInput,
  http: HttpClient,
): ReleaseServerUnderTest {
  const api = http.origin(input.baseUrl);
  const openOrigin = (url: string | undefined, reason: string) => {
    const origin = url === undefined ? null : http.origin(url);
    return () => {
      skipUnless(origin !== null, reason);
      return origin;
    };
  };
  const list = memoize((channel: ReleaseChannel) => readWholeList(api, channel));
  const release = memoize(async (version: string) =>
    expectRelease(await api.get(`/api/v1/releases/${version}`)),
  );
  const server: ReleaseServerUnderTest = {
    input,
    api,
    publicUrl: (input.publicUrl ?? input.baseUrl).replace(/\/$/, ""),
    http: RELEASE_HTTP,
    samples: () => findSamples(server),
    otherRequests: async () => findOtherRequests(server),
    selector: openOrigin(
      input.smartDownloadUrl,
      "No smart-download address is known; give it with --smart-download",
    ),
    empty: openOrigin(
      input.emptyUrl,
      "The server has releases and a manifest; give the address of an empty one with --empty",
    ),
    list,
    published: async () => {
      const lists = await Promise.all(RELEASE_CHANNELS.map(list));
      return lists.flat().toSorted((a, b) => b.buildNumber - a.buildNumber);
    },
    release,
    latest: async (channel) => {
      const newest = (await list(channel))[0];
      return newest === undefined ? null : release(newest.version);
    },
    latestOfEach: async () => {
      const found = await Promise.all(RELEASE_CHANNELS.map(server.latest));
      const present = found.filter((item) => item !== null);
      skipUnless(present.length > 0, "The server has no published release");
      return present;
    },
    someChannel: async () => (await server.latestOfEach())[0]?.channel ?? "stable",
    emptyChannel: async () => {
      for (const channel of RELEASE_CHANNELS) {
        if ((await list(channel)).length === 0) return { api, channel };
      }
      return { api: server.empty(), channel: "stable" };
    },
  };
  return server;
}

async function readWholeList(api: Origin, channel: ReleaseChannel): Promise<ReleaseSummary[]> {
  const releases: ReleaseSummary[] = [];
  for (let page = 1; page <= MAX_LIST_PAGES; page++) {
    const response = await api.get(
      `/api/v1/releases?channel=${channel}&page=${page}&limit=${LIST_LIMIT}`,
    );
    const body = expectList(response);
    releases.push(...body.releases);
    if (body.releases.length < LIST_LIMIT) break;
  }
  return releases;
}
