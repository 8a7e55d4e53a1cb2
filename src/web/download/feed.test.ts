import assert from "node:assert/strict";
import { test } from "node:test";
import { pastReleases, stableRelease } from "../../../test/fixtures/release-catalog.ts";
import { escapeHtml } from "../html.ts";
import { atomFeed, MAX_FEED_ENTRIES, type FeedOptions } from "./feed.ts";
import { changeList } from "./localise-release.ts";

const options: FeedOptions = {
  productName: "Habits",
  product: "habits",
  releases: [stableRelease, ...pastReleases],
  websiteUrl: "https://habits.example.com/app/",
  now: Date.UTC(2026, 8, 5),
};

const all = (markup: string, pattern: RegExp) =>
  [...markup.matchAll(pattern)].map((match) => match[1]);

test("the feed names itself, its page and its author (RFC 4287 4.1.1)", () => {
  const { markup } = atomFeed(options, "de");
  assert.match(
    markup,
    /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom" xml:lang="de">/,
  );
  assert.match(markup, /<id>https:\/\/habits\.example\.com\/app\/de\/feed\.atom<\/id>/);
  assert.match(
    markup,
    /rel="self" type="application\/atom\+xml" href="https:\/\/habits\.example\.com\/app\/de\/feed\.atom"/,
  );
  assert.match(
    markup,
    /rel="alternate" type="text\/html" hreflang="de" href="https:\/\/habits\.example\.com\/app\/de\/"/,
  );
  assert.match(markup, /<author><name>Habits<\/name><\/author>/);
});

test("the id of an entry depends only on its release and language", () => {
  const ids = all(atomFeed(options, "en").markup, /<entry>\n<id>(.*?)<\/id>/g);
  assert.deepEqual(ids, [
    "tag:habits.example.com,2026-08-21:habits/en/2.4.0",
    "tag:habits.example.com,2026-06-12:habits/en/2.3.0",
    "tag:habits.example.com,2026-05-12:habits/en/2.2.0",
    "tag:habits.example.com,2026-02-02:habits/en/1.9.2",
  ]);
});

test("times are in UTC and the feed is as new as its newest release", () => {
  const { markup } = atomFeed(options, "en");
  assert.equal(all(markup, /<updated>(.*?)<\/updated>/g)[0], "2026-08-21T07:30:00.000Z");
  assert.equal(markup, atomFeed({ ...options, now: options.now + 1 }, "en").markup);
});

test("a feed without releases is still a feed", () => {
  const { markup } = atomFeed({ ...options, releases: [] }, "en");
  assert.match(markup, /<updated>2026-09-05T00:00:00\.000Z<\/updated>/);
  assert.doesNotMatch(markup, /<entry>/);
});

test("links and points of a note are elements of the content, on the page as in the feed", () => {
  const fixed = ["Reminders ([#12](https://example.com/12))\n- at [night](javascript:alert(1))"];
  const notes = { added: [], changed: [], fixed, security: [] };
  const { presentation: _presentation, ...plain } = stableRelease;
  const { markup } = atomFeed({ ...options, releases: [{ ...plain, notes }] }, "en");
  const item =
    '<li>Reminders (<a href="https://example.com/12" rel="noopener noreferrer">#12</a>)<ul><li>at [night](javascript:alert(1))</li></ul></li>';
  assert.ok(changeList(notes, "en", 3)?.markup.includes(item));
  assert.ok(markup.includes(escapeHtml(item)));
});

test("a release without a presentation has its notes", () => {
  const { markup } = atomFeed(options, "en");
  assert.match(markup, /<title>Habits 1\.9\.2<\/title>/);
  assert.match(markup, /&lt;li&gt;The app starts again on Android 9&lt;\/li&gt;/);
});

test("the feed is bounded", () => {
  const releases = Array.from({ length: MAX_FEED_ENTRIES + 5 }, () => stableRelease);
  assert.equal(all(atomFeed({ ...options, releases }, "en").markup, /(<entry>)/g).length, 20);
});
