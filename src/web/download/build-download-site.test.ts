import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Release, ReleaseNotes } from "../../contract/release/schemas.ts";
import { catalogReleases, stableRelease } from "../../../test/fixtures/release-catalog.ts";
import { buildDownloadSite, type DownloadSiteOptions } from "./build-download-site.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");
const options: DownloadSiteOptions = {
  productName: "Habits",
  product: "habits",
  site: null,
  releases: catalogReleases,
  smartDownloadUrl: "https://get.example.com",
  websiteUrl: "https://habits.example.com/#download",
  apiBaseUrl: "https://releases.example.com",
  now: Date.UTC(2026, 8, 5),
  sha256,
};

function build(changes: Partial<DownloadSiteOptions> = {}) {
  const site = buildDownloadSite({ ...options, ...changes });
  const read = (path: string) => {
    const file = site.files.find((candidate) => candidate.path === path);
    assert.ok(file, `${path} is missing`);
    assert.equal(typeof file.body, "string");
    return String(file.body);
  };
  return { ...site, read, en: read("index.html"), de: read("de/index.html") };
}

test("the site is a page and a feed per language and an icon", () => {
  assert.deepEqual(
    build().files.map(({ path, mediaType }) => [path, mediaType]),
    [
      ["index.html", "text/html; charset=utf-8"],
      ["feed.atom", "application/atom+xml; charset=utf-8"],
      ["de/index.html", "text/html; charset=utf-8"],
      ["de/feed.atom", "application/atom+xml; charset=utf-8"],
      ["icon.svg", "image/svg+xml; charset=utf-8"],
    ],
  );
});

test("each page is in its language and links to the other", () => {
  const { en, de } = build();
  assert.match(en, /<html lang="en">/);
  assert.match(en, /<h1>Your habits, on every device<\/h1>/);
  assert.match(en, /hreflang="de" href="https:\/\/habits\.example\.com\/de\/"/);
  assert.match(de, /<html lang="de">/);
  assert.match(de, /<h1>Deine Gewohnheiten, auf jedem Gerät<\/h1>/);
  assert.match(de, /21\. August 2026/);
});

test("without a script the button links to the smart download", () => {
  assert.match(build().en, /id="download-button"\s+href="https:\/\/get\.example\.com\/"/);
});

test("the policy allows style and script by their hash only", () => {
  const { en, de, headers } = build();
  const policy = headers["Content-Security-Policy"] ?? "";
  for (const page of [en, de]) {
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? "";
    const script = /<script>([^]*?)<\/script>/.exec(page)?.[1] ?? "";
    assert.ok(policy.includes(`style-src 'sha256-${sha256(style)}';`));
    assert.ok(policy.includes(`script-src 'sha256-${sha256(script)}';`));
    assert.equal(page.match(/<(?:style|script)\b/g)?.length, 2);
  }
  assert.match(policy, /^default-src 'none'; /);
  assert.match(policy, /; img-src 'self' https:\/\/media\.example\.com; base-uri 'none'; /);
  assert.match(policy, /; form-action 'none'; frame-ancestors 'none'$/);
});

test("a media host that would change the policy is in neither page nor policy", () => {
  const media = stableRelease.media?.map((item) => ({
    ...item,
    url: "https://a.example;script-src/x.png",
  }));
  const { en, headers } = build({ releases: [{ ...stableRelease, media: media ?? [] }] });
  assert.match(headers["Content-Security-Policy"] ?? "", /; img-src 'self'; /);
  assert.doesNotMatch(en, /a\.example/);
});

test("a deadline is announced before it passes and stated afterwards", () => {
  assert.match(build().en, /From 1 October 2026, older versions need this update/);
  assert.match(
    build({ now: Date.UTC(2026, 9, 1) }).en,
    /older versions have needed this update since 1 October 2026/i,
  );
});

test("the minimum supported version is shown only when an older one was published", () => {
  assert.match(build().en, /Versions before 2\.0\.0 are no longer supported/);
  assert.doesNotMatch(build({ releases: [stableRelease] }).en, /no longer supported/);
});

test("without a release the page says so and has no download", () => {
  const { en, de, read } = build({ releases: [] });
  assert.match(en, /Habits is coming soon/);
  assert.match(de, /Habits kommt bald/);
  assert.doesNotMatch(en, /id="download-button"/);
  assert.match(en, /id="download"/);
  assert.doesNotMatch(read("feed.atom"), /<entry>/);
});

test("betas have their own section and are not in the feed", () => {
  const { en, read } = build();
  const before = en.slice(0, en.indexOf('id="beta"'));
  assert.doesNotMatch(before, /2\.5\.0/);
  assert.match(en.slice(before.length), /Try version 2\.5\.0 early/);
  assert.doesNotMatch(read("feed.atom"), /2\.5\.0/);
});

test("people read what the app calls itself, and links keep the contract's version", () => {
  const called = (version: string) => `${version}-rc.1`;
  const releases = catalogReleases.map((release) => ({
    ...release,
    appVersion: called(release.version),
  }));
  const { en, read } = build({ releases });
  const headings = [...en.matchAll(/<(title|h2|h3|summary)[^>]*>([^<]*\d\.\d+\.\d[^<]*)</g)];
  assert.ok(headings.length > releases.length);
  for (const [, , text = ""] of headings) assert.match(text, /\d+\.\d+\.\d+-rc\.1/);
  assert.match(read("feed.atom"), /<title>Habits 2\.4\.0-rc\.1: /);
  assert.ok(en.includes(`id="release-${stableRelease.version}"`));
});

test("the same catalogue in another order builds the same bytes", () => {
  const again = build({ releases: catalogReleases.toReversed() });
  assert.deepEqual(again.files, build().files);
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "</title></style></script><img src=x onerror=alert(1)>",
  `" onmouseover="alert(1)`,
  `' onmouseover='alert(1)`,
  "<!-- ]]> -->",
  "&lt;b&gt;",
  "\u202eexe.fdp\u0000",
  "W".repeat(5000),
];

for (const text of HOSTILE) {
  test(`hostile text in every field is only text: ${JSON.stringify(text.slice(0, 30))}`, () => {
    const plain = build({ productName: "Plain", releases: [hostileRelease("plain")] });
    const hostile = build({ productName: text, product: text, releases: [hostileRelease(text)] });
    for (const path of ["index.html", "de/index.html", "feed.atom", "de/feed.atom", "icon.svg"]) {
      assert.deepEqual(skeleton(hostile.read(path)), skeleton(plain.read(path)), path);
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(hostile.read(path), /[\u0000-\u0008\u202a-\u202e]/);
    }
  });
}

/** The tags and their attribute names, which no text may change. */
function skeleton(markup: string): string[] {
  const tags = markup.match(/<[^>]*>/g) ?? [];
  return tags.map((tag) => tag.replace(/"[^"]*"/g, '""'));
}

function hostileRelease(text: string): Release {
  const notes: ReleaseNotes = { added: [text], changed: [text], fixed: [text], security: [text] };
  const highlight = { id: text, title: text, description: text, icon: text, mediaId: "m" };
  const presentation = { headline: text, summary: text, highlights: [highlight], changes: notes };
  return {
    ...stableRelease,
    version: text,
    minimumSupportedVersion: text,
    notes,
    presentation: { en: presentation, de: presentation },
    media: [{ ...stableRelease.media![0]!, id: "m", fileName: text }],
    artifacts: [
      { ...stableRelease.artifacts[0]!, architecture: text, fileName: text, sha256: text },
      { ...stableRelease.artifacts[2]!, architecture: text, fileName: text, sha256: text },
    ],
  };
}
