import { parseDateTime } from "../../../src/contract/date-time.ts";
import {
  DEFAULT_PAGE_LIMIT,
  MAX_PAGE,
  MAX_PAGE_LIMIT,
  RELEASE_CHANNELS,
} from "../../../src/contract/release/values.ts";
import { expectEach, expectSame, fail } from "../../expect.ts";
import { NOT_A_BOUNDED_INTEGER } from "../../http-cases.ts";
import type { Origin } from "../../http.ts";
import { compareVersions, expectErrorAt, expectList } from "../expectations.ts";
import { releaseCases } from "../server-under-test.ts";

const MAX_PAGES_WALKED = 12;
const COMPARED_RELEASES = 20;

export const LIST_CASES = releaseCases({
  "list-is-newest-build-first": {
    title: "The list of a channel is in falling order of build numbers",
    section: "release contract, GET /api/v1/releases; ReleaseList: releases",
    run: (server) =>
      expectEach(RELEASE_CHANNELS, async (channel) => {
        const builds = (await server.list(channel)).map(({ buildNumber }) => buildNumber);
        const falling = [...new Set(builds)].toSorted((a, b) => b - a);
        expectSame(`GET /api/v1/releases?channel=${channel}`, "builds", builds, falling);
      }),
  },
  "list-holds-one-channel": {
    title: "A list holds releases of the asked channel only, stable when none is asked",
    section: "release contract, GET /api/v1/releases; What the service does: convention 3",
    async run(server) {
      await expectEach(RELEASE_CHANNELS, async (channel) => {
        const stray = (await server.list(channel)).find((release) => release.channel !== channel);
        if (stray === undefined) return;
        const asked = `GET /api/v1/releases?channel=${channel}`;
        fail(asked, `only ${channel} releases`, `${stray.version} of ${stray.channel}`);
      });
      const byDefault = await server.api.get("/api/v1/releases");
      const explicit = await server.api.get("/api/v1/releases?channel=stable");
      expectSame(byDefault, "the stable list", expectList(byDefault), expectList(explicit));
    },
  },
  "list-starts-with-the-first-twenty": {
    title: "Without page and limit the list is the first page of twenty",
    section: "release contract, GET /api/v1/releases: defaults; Limits",
    async run(server) {
      const response = await server.api.get("/api/v1/releases");
      const { page, limit, releases } = expectList(response);
      expectSame(
        response,
        "page and limit",
        { page, limit },
        { page: 1, limit: DEFAULT_PAGE_LIMIT },
      );
      const all = await server.list("stable");
      expectSame(response, "releases", releases, all.slice(0, DEFAULT_PAGE_LIMIT));
    },
  },
  "list-pages-add-up": {
    title: "Pages of any size hold each release once, and agree on the total",
    section: "release contract, GET /api/v1/releases; ReleaseList",
    run: (server) =>
      expectEach(RELEASE_CHANNELS, async (channel) => {
        const all = await server.list(channel);
        const third = Math.min(MAX_PAGE_LIMIT, Math.max(1, Math.ceil(all.length / 3)));
        await expectEach(new Set([1, 2, third, third + 1, MAX_PAGE_LIMIT]), async (limit) => {
          if (limit > MAX_PAGE_LIMIT) return;
          const pages = Math.min(MAX_PAGES_WALKED, Math.ceil(all.length / limit) + 1);
          for (let page = 1; page <= pages; page++) {
            const response = await server.api.get(
              `/api/v1/releases?channel=${channel}&page=${page}&limit=${limit}`,
            );
            expectSame(response, "the page", expectList(response), {
              page,
              limit,
              total: all.length,
              releases: all.slice((page - 1) * limit, page * limit),
            });
          }
        });
      }),
  },
  "empty-page-is-valid": {
    title: "A valid page beyond the last release is 200 with an empty list and the same total",
    section: "release contract, GET /api/v1/releases: 200; Limits: page",
    async run(server) {
      const total = (await server.list("stable")).length;
      const beyond = Math.floor(total / 100) + 2;
      await expectEach([beyond, MAX_PAGE], async (page) => {
        const response = await server.api.get(`/api/v1/releases?page=${page}&limit=100`);
        const expected = { page, limit: 100, total, releases: [] };
        expectSame(response, "the page", expectList(response), expected);
      });
    },
  },
  "page-and-limit-are-canonical-integers": {
    title: "page and limit are plain decimals in their range; anything else is invalid_pagination",
    section:
      "release contract, GET /api/v1/releases; Limits; Trellis decision: integers in queries",
    async run({ api }) {
      const accepted = [`page=${MAX_PAGE}`, `limit=${MAX_PAGE_LIMIT}`, "page=1&limit=1"];
      await expectEach(accepted, async (query) =>
        expectList(await api.get(`/api/v1/releases?${query}`)),
      );
      const refused = [
        `page=${MAX_PAGE + 1}`,
        `limit=${MAX_PAGE_LIMIT + 1}`,
        ...NOT_A_BOUNDED_INTEGER.flatMap((text) => [`page=${text}`, `limit=${text}`]),
      ];
      await expectInvalidPagination(api, refused);
    },
  },
  "pagination-is-checked-before-the-channel": {
    title: "When page or limit and the channel are wrong, the answer is invalid_pagination",
    section: "Trellis decision, release service: order of checks",
    run: ({ api }) =>
      expectInvalidPagination(api, [
        "page=0&channel=nightly",
        "channel=nightly&limit=101",
        "channel=&page=",
      ]),
  },
  "list-entries-agree-with-their-releases": {
    title: "What the list says of a release is what the release says of itself",
    section: "release contract, ReleaseSummary; Release",
    async run(server) {
      const published = await server.published();
      await expectEach(published.slice(0, COMPARED_RELEASES), async (summary) => {
        const { version, buildNumber, channel, publishedAt } = await server.release(
          summary.version,
        );
        const asked = `GET /api/v1/releases/${summary.version}`;
        const found = { version, buildNumber, channel, publishedAt };
        expectSame(asked, "the list's entry", found, summary);
      });
    },
  },
  "build-numbers-grow-with-publication": {
    title: "A release that was published later has the higher build number, across both channels",
    section: "release contract, What the service does: convention 6; Versioning",
    async run(server) {
      const published = await server.published();
      for (const [index, newer] of published.entries()) {
        const older = published[index + 1];
        if (older === undefined) return;
        const asked = "GET /api/v1/releases of both channels";
        if (newer.buildNumber === older.buildNumber) {
          const received = `${newer.version} and ${older.version} with ${newer.buildNumber}`;
          fail(asked, "a build number of its own for each release", received);
        }
        const [later, earlier] = [newer, older].map((item) => parseDateTime(item.publishedAt) ?? 0);
        if ((later ?? 0) >= (earlier ?? 0)) continue;
        const received = `${newer.publishedAt} of build ${newer.buildNumber}`;
        fail(asked, `publication not before build ${older.buildNumber}`, received);
      }
    },
  },
  "versions-grow-with-builds": {
    title: "Inside a channel the higher build has the newer version",
    section: "release contract, Versioning; Trellis decision: catalogue validation",
    run: (server) =>
      expectEach(RELEASE_CHANNELS, async (channel) => {
        const releases = await server.list(channel);
        for (const [index, newer] of releases.entries()) {
          const older = releases[index + 1];
          if (older === undefined || compareVersions(newer.version, older.version) > 0) continue;
          const asked = `GET /api/v1/releases?channel=${channel}`;
          const expected = `a newer version than ${older.version} for build ${newer.buildNumber}`;
          fail(asked, expected, newer.version);
        }
      }),
  },
});

function expectInvalidPagination(api: Origin, queries: readonly string[]): Promise<void> {
  const paths = queries.map((query) => `/api/v1/releases?${query}`);
  return expectErrorAt(api, "invalid_pagination", paths);
}
