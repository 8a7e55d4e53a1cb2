import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRelease } from "../../../test/fixtures/catalog.ts";
import { createChecker } from "../../contract/check.ts";
import { ReleaseList } from "../../contract/release/schemas.ts";
import type { NegotiatedResponse } from "../../http/negotiated-response.ts";
import { createListPages } from "./list-pages.ts";

const releasesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => createRelease(count - index, 0, 0));

function bodyOf(response: NegotiatedResponse): ReleaseList {
  const value: unknown = JSON.parse(String(response.full.body));
  assert.deepEqual(createChecker(ReleaseList).errors(value), []);
  return value as ReleaseList;
}

test("the pages together are the list, each release once and in order", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 120 }),
      fc.integer({ min: 1, max: 100 }),
      (count, limit) => {
        const releases = releasesOf(count);
        const pages = createListPages(releases);
        const last = Math.ceil(count / limit) + 1;
        const found = Array.from({ length: last }, (_, index) =>
          bodyOf(pages.page(index + 1, limit)),
        );
        for (const [index, body] of found.entries()) {
          assert.equal(body.page, index + 1);
          assert.equal(body.limit, limit);
          assert.equal(body.total, count);
        }
        assert.deepEqual(
          found.flatMap((body) => body.releases.map(({ version }) => version)),
          releases.map(({ version }) => version),
        );
        assert.deepEqual(found.at(-1)?.releases, []);
      },
    ),
    { numRuns: 40 },
  );
});

test("a summary has its four members and nothing of the release behind it", () => {
  const [release] = releasesOf(1);
  assert.ok(release !== undefined);
  const { version, buildNumber, channel, publishedAt } = release;
  assert.deepEqual(bodyOf(createListPages([release]).page(1, 1)).releases, [
    { version, buildNumber, channel, publishedAt },
  ]);
});

test("a page has the same validator on every request, also after it was evicted", () => {
  const pages = createListPages(releasesOf(50));
  const first = pages.page(1, 20);
  assert.equal(pages.page(1, 20), first);
  // These pages are more than are cached.
  for (let page = 1; page <= 1000; page++) pages.page(page, 7);
  assert.equal(pages.page(1, 20).etag, first.etag);
  const late = pages.page(3, 9);
  assert.equal(pages.page(3, 9).etag, late.etag);
  assert.notEqual(late.etag, first.etag);
});

test("the deepest page of a long history is as fast as the first", () => {
  const pages = createListPages(releasesOf(5000));
  const startedAt = performance.now();
  for (let page = 99_000; page < 100_000; page++) pages.page(page, 100);
  for (let page = 1; page <= 50; page++) pages.page(page, 99);
  assert.ok(performance.now() - startedAt < 500);
});
