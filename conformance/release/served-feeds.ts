import {
  ELECTRON_FILES,
  SQUIRREL_ARCHITECTURES,
  type Feed,
} from "../../src/contract/release/feed-values.ts";
import { RELEASE_CHANNELS } from "../../src/contract/release/values.ts";
import { percentOf } from "../../src/rules/release/rollouts.ts";
import { skipUnless } from "../case.ts";
import { expectEach, expectStatus, fail } from "../expect.ts";
import type { ReceivedResponse } from "../http.ts";
import { expectManifestPayload } from "./expectations.ts";
import { fetchManifest } from "./requests.ts";
import type { ReleaseCase, ReleaseServerUnderTest } from "./server-under-test.ts";

export const feedSection = (feed: string) => `Trellis decision, feeds for other updaters: ${feed}`;

const PATHS = {
  electron: ELECTRON_FILES.map(({ name }) => `/feeds/electron/${name}`),
  tauri: RELEASE_CHANNELS.map((channel) => `/feeds/tauri/${channel}.json`),
  sparkle: RELEASE_CHANNELS.map((channel) => `/feeds/sparkle/${channel}/appcast.xml`),
  squirrel: RELEASE_CHANNELS.flatMap((channel) =>
    SQUIRREL_ARCHITECTURES.map((arch) => `/feeds/squirrel/${channel}/darwin/${arch}/RELEASES.json`),
  ),
} as const satisfies Record<Feed, readonly string[]>;

type ServedFeed = readonly [path: string, response: ReceivedResponse];

/** The server's feeds of these names; not testable without, because it may have turned them off. */
export async function servedFeeds(
  server: ReleaseServerUnderTest,
  ...names: readonly Feed[]
): Promise<ServedFeed[]> {
  const responses = await Promise.all(
    names
      .flatMap((name): readonly string[] => PATHS[name])
      .map(async (path): Promise<ServedFeed> => [path, await server.api.get(path)]),
  );
  const served = responses.filter(([, { status }]) => status !== 404);
  skipUnless(served.length > 0, `The server has no feed for ${names.join(", ")}`);
  return served;
}

/** Makes the run of a case that checks each feed of these names that the server has. */
export function checkFeeds(
  names: readonly Feed[],
  check: (response: ReceivedResponse, path: string, server: ReleaseServerUnderTest) => unknown,
): ReleaseCase["run"] {
  return async (server) =>
    expectEach(await servedFeeds(server, ...names), ([path, response]) => {
      expectStatus(response, 200);
      return check(response, path, server);
    });
}

/** What a feed offers: the version as the app calls it, and the address of a file. */
export interface ServedOffer {
  readonly version: string;
  readonly url: string;
}

/** The contract's version of an offer. An app may call it otherwise; then its file tells which it is. */
async function versionOffered(
  server: ReleaseServerUnderTest,
  { version, url }: ServedOffer,
): Promise<string | undefined> {
  const published = await server.published();
  if (published.some((release) => release.version === version)) return version;
  const { drafts = [], withdrawn = [] } = server.input.fixtures ?? {};
  if (drafts.includes(version) || withdrawn.includes(version)) return undefined;
  for (const release of published) {
    const { artifacts } = await server.release(release.version);
    if (artifacts.some((artifact) => artifact.url === url)) return release.version;
  }
  return undefined;
}

/** The percent of an offered release's rollout, from the signed manifest. */
export async function signedPercent(
  server: ReleaseServerUnderTest,
): Promise<(offer: ServedOffer) => Promise<number>> {
  const { rollouts = [] } = expectManifestPayload(await fetchManifest(server));
  return async (offer) => percentOf(rollouts, (await versionOffered(server, offer)) ?? "");
}

/** A draft or a withdrawn release is in no feed. */
export async function offeredRelease(
  server: ReleaseServerUnderTest,
  response: ReceivedResponse,
  offer: ServedOffer,
) {
  const version = await versionOffered(server, offer);
  return version === undefined
    ? fail(response, "a published release", `"${offer.version}"`)
    : server.release(version);
}
