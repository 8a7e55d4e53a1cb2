/** The release server under test: its origins, and what can be learned about it, learned once. */
import type { Release, ReleaseSummary } from "../../contract/release/schemas.ts";
import { RELEASE_CHANNELS, type ReleaseChannel } from "../../contract/release/values.ts";
import { NotTestable, type ConformanceCase } from "../case.ts";
import type { HttpClient, Origin } from "../http.ts";
import { expectList, expectRelease } from "./bodies.ts";
import type { ReleaseInput } from "./input.ts";

export type ReleaseCase = ConformanceCase<ReleaseTarget>;

export interface ReleaseTarget {
  readonly input: ReleaseInput;
  readonly api: Origin;
  /** The base URL that the server's own addresses begin with, without a final slash. */
  readonly publicUrl: string;
  /** Not testable when no smart-download address was given. */
  selector(): Origin;
  /** A server without releases and manifest; not testable when no address of one was given. */
  empty(): Origin;
  /** Everything published in a channel, in the order of the list. */
  list(channel: ReleaseChannel): Promise<readonly ReleaseSummary[]>;
  /** Everything published, newest build first. */
  published(): Promise<readonly ReleaseSummary[]>;
  release(version: string): Promise<Release>;
  /** The newest release of a channel, or null when it has none. */
  latest(channel: ReleaseChannel): Promise<Release | null>;
  /** The newest releases of the channels that have any; not testable when none has. */
  latestOfEach(): Promise<readonly Release[]>;
  /** A channel without releases, here or at the empty server; not testable when there is none. */
  emptyChannel(): Promise<{ readonly api: Origin; readonly channel: ReleaseChannel }>;
}

const LIST_LIMIT = 100;
// A catalogue of two thousand releases shows every fault that a larger one would.
const MAX_LIST_PAGES = 20;

export function createReleaseTarget(input: ReleaseInput, http: HttpClient): ReleaseTarget {
  const api = http.origin(input.baseUrl);
  const selectorOrigin =
    input.smartDownloadUrl === undefined ? null : http.origin(input.smartDownloadUrl);
  const emptyOrigin = input.emptyUrl === undefined ? null : http.origin(input.emptyUrl);
  const empty = () => {
    if (emptyOrigin !== null) return emptyOrigin;
    throw new NotTestable(
      "The server has releases and a manifest; give the address of an empty one with --empty",
    );
  };
  const list = remember((channel: ReleaseChannel) => readWholeList(api, channel));
  const release = remember(async (version: string) =>
    expectRelease(await api.get(`/api/v1/releases/${version}`)),
  );
  const latest = async (channel: ReleaseChannel) => {
    const newest = (await list(channel))[0];
    return newest === undefined ? null : release(newest.version);
  };
  const latestOfEach = async () => {
    const found = await Promise.all(RELEASE_CHANNELS.map(latest));
    const present = found.filter((item) => item !== null);
    if (present.length === 0) throw new NotTestable("The server has no published release");
    return present;
  };
  return {
    input,
    api,
    publicUrl: (input.publicUrl ?? input.baseUrl).replace(/\/$/, ""),
    selector: () => {
      if (selectorOrigin !== null) return selectorOrigin;
      throw new NotTestable("No smart-download address is known; give it with --smart-download");
    },
    empty,
    list,
    published: async () => {
      const lists = await Promise.all(RELEASE_CHANNELS.map(list));
      return lists.flat().toSorted((a, b) => b.buildNumber - a.buildNumber);
    },
    release,
    latest,
    latestOfEach,
    emptyChannel: async () => {
      for (const channel of RELEASE_CHANNELS) {
        if ((await list(channel)).length === 0) return { api, channel };
      }
      return { api: empty(), channel: "stable" };
    },
  };
}

async function readWholeList(api: Origin, channel: ReleaseChannel): Promise<ReleaseSummary[]> {
  const releases: ReleaseSummary[] = [];
  for (let page = 1; page <= MAX_LIST_PAGES; page++) {
    const answer = await api.get(
      `/api/v1/releases?channel=${channel}&page=${page}&limit=${LIST_LIMIT}`,
    );
    const body = expectList(answer);
    releases.push(...body.releases);
    if (body.releases.length < LIST_LIMIT) break;
  }
  return releases;
}

function remember<Key, Value>(learn: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = learn(key);
    known.set(key, value);
    return value;
  };
}
