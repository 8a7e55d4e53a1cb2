/** What `site.json` and the rest of the catalogue change on the page. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import { catalogReleases, stableRelease } from "../../../test/fixtures/release-catalog.ts";
import { createTheme, LOGO } from "../../../test/fixtures/site-theme.ts";
import { buildDownloadSite, type DownloadSiteOptions } from "./build-download-site.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");

function build(changes: Partial<DownloadSiteOptions> = {}) {
  const site = buildDownloadSite({
    productName: "Steady",
    product: "habits",
    site: createTheme(),
    releases: catalogReleases,
    smartDownloadUrl: "https://get.example.com",
    websiteUrl: "https://steady.example.com/#download",
    apiBaseUrl: "https://releases.example.com",
    now: Date.UTC(2026, 8, 5),
    sha256,
    ...changes,
  });
  const read = (path: string) =>
    String(site.files.find((candidate) => candidate.path === path)?.body);
  return { ...site, en: read("index.html"), de: read("de/index.html") };
}

const { presentation: _p, media: _m, ...untold } = stableRelease;

test("the tagline is the headline, and the presentation of the release follows", () => {
  const { en, de } = build();
  assert.match(en, /<h1>Small habits that stay<\/h1>\s*<p class="summary">One calm day at a time/);
  assert.match(
    en,
    /New in version 2\.4\.0<\/p>\s*<h2 id="news">Your habits, on every device<\/h2>/,
  );
  assert.match(de, /<h1>Kleine Gewohnheiten, die bleiben<\/h1>/);
});

test("a release without a presentation has the name and the platforms of the app", () => {
  const { en, de } = build({ site: null, releases: [untold] });
  assert.match(en, /<h1>Steady<\/h1>\s*<p class="summary">For Android, Windows, Linux and macOS\./);
  assert.match(de, /<p class="summary">Für Android, Windows, Linux und macOS\./);
  assert.match(en, /<span>Version 2\.4\.0<\/span>/);
  assert.match(en, /Sync between all your devices/);
});

test("the pictures are files of the site, with their type and their size", () => {
  const { files, en, de } = build();
  const pictures = files.filter(({ path }) => path.startsWith("images/"));
  assert.deepEqual(
    pictures.map(({ path, mediaType }) => [path, mediaType]),
    [
      ["images/phone.png", "image/png"],
      ["images/desk.png", "image/png"],
      ["images/desk-dark.png", "image/png"],
    ],
  );
  assert.match(
    en,
    /src="\.\/images\/desk\.png"\s+alt="A week on a computer"\s+width="64"\s+height="40"/,
  );
  assert.match(
    de,
    /media="\(prefers-color-scheme: dark\)"\s+srcset="\.\.\/images\/desk-dark\.png"/,
  );
});

test("a drawing is only ever an image, never part of the page or a file", () => {
  const { en, de, files } = build();
  for (const page of [en, de]) {
    const [, base64 = ""] =
      /<img class="brand-logo" src="data:image\/svg\+xml;base64,([^"]+)" alt="" \/>/.exec(page) ??
      [];
    assert.equal(Buffer.from(base64, "base64").toString(), LOGO);
    assert.doesNotMatch(page, /viewBox="0 0 8 8"/);
  }
  assert.deepEqual(
    files.filter(({ path, mediaType }) => path.includes("svg") || mediaType.includes("svg")),
    [],
  );
});

test("a logo of pixels is a file", () => {
  const { en, files, headers } = build({ site: createTheme({ logo: "phone.png" }) });
  assert.match(en, /<img class="brand-logo" src="\.\/images\/phone\.png" alt="" \/>/);
  assert.ok(files.some(({ path }) => path === "images/phone.png"));
  assert.doesNotMatch(headers["Content-Security-Policy"] ?? "", /data:/);
});

test("the accent replaces the colours of the page in both themes, by the hash of the policy", () => {
  const { en, headers } = build();
  const style = /<style>([^]*?)<\/style>/.exec(en)?.[1] ?? "";
  assert.match(style, /screen and \(prefers-color-scheme:light\)\{:root\{--accent:#6b2fa0;/);
  assert.match(style, /screen and \(prefers-color-scheme:dark\)\{:root\{--accent:#[0-9a-f]{6};/);
  const policy = headers["Content-Security-Policy"] ?? "";
  assert.ok(policy.includes(`style-src 'sha256-${sha256(style)}';`));
  assert.match(policy, /; img-src 'self' data: https:\/\/media\.example\.com; /);
  assert.doesNotMatch(build({ site: null }).en, /prefers-color-scheme:light/);
});

test("the letter of the name has the accent where there is no logo", () => {
  const { logo: _, ...theme } = createTheme();
  const icon = build({ site: theme }).files.find(({ path }) => path === "icon.svg");
  assert.match(String(icon?.body), /fill="#6b2fa0"/);
});

test("other sites get a title, a description and a picture that they can show", () => {
  const { en, de } = build();
  const property = (page: string, name: string) =>
    new RegExp(`property="${name}" content="([^"]*)"`).exec(page)?.[1];
  assert.equal(property(en, "og:title"), "Steady: Small habits that stay");
  assert.equal(property(de, "og:description"), "Ein ruhiger Tag nach dem anderen.");
  assert.equal(property(de, "og:url"), "https://steady.example.com/de/");
  assert.equal(property(de, "og:locale"), "de_DE");
  assert.equal(property(en, "og:image"), "https://steady.example.com/images/phone.png");
  assert.equal(property(en, "og:image:width"), "30");
  const drawingOnly = build({ site: createTheme({ screenshots: [] }) }).en;
  assert.equal(property(drawingOnly, "og:image"), undefined);
  assert.match(en, /<link rel="icon" type="image\/svg\+xml" href="data:image\/svg\+xml;base64,/);
});

test("the requirements name systems and processors, and say what is not there", () => {
  const artifacts = stableRelease.artifacts.map((artifact) =>
    artifact.platform === "macos" ? { ...artifact, minimumOs: "12.0" } : artifact,
  );
  const { en, de } = build({ site: null, releases: [{ ...stableRelease, artifacts }] });
  assert.match(en, /<h3>macOS<\/h3>\s*<p>macOS 12 or later<\/p>\s*<p>Apple silicon and Intel<\/p>/);
  assert.match(en, /<h3>Linux<\/h3>\s*<p>64-bit Intel and AMD<\/p>/);
  assert.match(en, /<h3>iPhone and iPad<\/h3>\s*<p>There is no version for iPhone and iPad yet/);
  assert.match(de, /<h3>macOS<\/h3>\s*<p>macOS 12 oder neuer<\/p>/);
});

test("where files need different systems, each is named with its processor", () => {
  const macos = stableRelease.artifacts.find(({ platform }) => platform === "macos")!;
  const artifacts = [
    { ...macos, architecture: "x64", minimumOs: "10.15" },
    { ...macos, architecture: "arm64", minimumOs: "11.0" },
  ];
  const { en } = build({ releases: [{ ...stableRelease, artifacts }] });
  assert.match(
    en,
    /<p>macOS 10\.15 or later \(Intel\)<\/p>\s*<p>macOS 11 or later \(Apple silicon\)<\/p>\s*<\/li>/,
  );
});

test("files of one processor name it once, whatever systems they need", () => {
  const macos = stableRelease.artifacts.find(({ platform }) => platform === "macos")!;
  const artifacts = [{ ...macos, minimumOs: "12.0" }, macos];
  const { en } = build({ releases: [{ ...stableRelease, artifacts }] });
  assert.match(
    en,
    /<h3>macOS<\/h3>\s*<p>macOS 12 or later<\/p>\s*<p>Apple silicon and Intel<\/p>\s*<\/li>/,
  );
});

test("stores are linked, and one for iPhones is what their owners are offered", () => {
  const { en } = build();
  assert.match(
    en,
    /Also in<\/span>\s*<a[^>]+href="https:\/\/apps\.apple\.com\/app\/id1">App Store</,
  );
  assert.match(
    en,
    /data-ios-url="https:\/\/apps\.apple\.com\/app\/id1"\s+data-ios-label="App Store"/,
  );
  assert.doesNotMatch(en, /no version for iPhone|id="ios-note"/);
});

test("a release with nothing but bundles for a store has no download of its own", () => {
  const bundle = stableRelease.artifacts.filter(({ distribution }) => distribution === "play");
  const { en } = build({ releases: [{ ...stableRelease, artifacts: bundle }] });
  assert.match(en, /This version is installed from an app store/);
  assert.match(en, /F-Droid/);
  assert.doesNotMatch(en, /id="download-button"|\.aab|id="files"/);
});

test("withdrawn releases are named with their reason, and their files are not offered", () => {
  const withdrawn: SourceRelease = {
    ...stableRelease,
    status: "withdrawn",
    version: "2.3.9",
    buildNumber: 239,
    artifacts: stableRelease.artifacts.map((artifact) => ({
      ...artifact,
      url: "https://downloads.example.com/2.3.9/withdrawn.exe",
    })),
    withdrawal: { at: "2026-08-20T10:00:00Z", reason: "It lost <data>", replacedBy: "2.4.0" },
  };
  const { en, de } = build({ releases: [...catalogReleases, withdrawn] });
  assert.match(
    en,
    /id="release-2\.3\.9"[^]*Version 2\.3\.9[^]*20 August 2026[^]*replaced by 2\.4\.0/,
  );
  assert.match(en, /It lost &lt;data&gt;/);
  assert.match(de, /Zurückgezogene Versionen/);
  assert.doesNotMatch(en, /withdrawn\.exe/);
  assert.doesNotMatch(build().en, /id="withdrawn"/);
});

test("the way to English does not lead to German again", () => {
  const { en, de } = build();
  assert.match(de, /href="\.\.\/\?lang=en"\s+lang="en"/);
  assert.match(en, /href="\.\/de\/"\s+lang="de"/);
  assert.match(en, /hreflang="x-default" href="https:\/\/steady\.example\.com\/"/);
});

test("hostile texts of the maker are only text", () => {
  const hostile = `</style><script>alert(1)</script>"'>`;
  const text = { en: hostile, de: hostile };
  const [screenshot] = createTheme().screenshots ?? [];
  const skeleton = (markup: string) => markup.match(/<[a-z][^\s>]*/g)?.join("");
  const theme = (words: typeof text) =>
    createTheme({
      tagline: words,
      description: words,
      screenshots: [{ ...screenshot!, alt: words, caption: words }],
      stores: [{ platform: "ios", name: words.en, url: "https://store.example/" }],
      links: [{ label: words, url: "https://steady.example.com/" }],
    });
  const plain = { en: "plain", de: "plain" };
  assert.equal(
    skeleton(build({ site: theme(text) }).en),
    skeleton(build({ site: theme(plain) }).en),
  );
});
