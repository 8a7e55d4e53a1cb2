/** The docs as a site: every page, every link, what a search finds first. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkSite } from "../../site/check-site.ts";
import { buildSearchIndex } from "../../site/build-search-index.ts";
import { SECTIONS } from "../../site/navigation.ts";
import { germanSource, readPages } from "../../site/read-pages.ts";
import { renderDocs } from "../../site/render-docs.ts";
import { createSearch } from "../../site/search/create-search.ts";

const ROOT = join(import.meta.dirname, "../..");
const pages = readPages(ROOT);
const site = renderDocs(ROOT);

function read(path: string, { files } = site): string {
  const file = files.find((candidate) => candidate.path === path);
  return String(file?.body ?? assert.fail(`The site has no ${path}`));
}

/** They stay in the repository. */
const FOR_MAINTAINERS = /^docs\/(decisions|security)\/|^docs\/storage\.md$/;

test("every page of docs/ is in the contents once, except those for maintainers", async () => {
  const names = await readdir(join(ROOT, "docs"), { recursive: true });
  const sources = names.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const entries = SECTIONS.flatMap((section) => [...section.entries] as string[]);
  assert.equal(new Set(entries).size, entries.length);
  const german = new Set(entries.map(germanSource));
  const missing = sources.filter(
    (source) =>
      !entries.includes(source) &&
      !german.has(source) &&
      !FOR_MAINTAINERS.test(source) &&
      !source.endsWith("/index.md"),
  );
  assert.deepEqual(missing, [], "site/navigation.ts says who reads which page");
  const shown = sources.filter((source) => pages.has(source));
  assert.equal(shown.length, sources.filter((source) => !FOR_MAINTAINERS.test(source)).length);
});

test("every link and anchor of the site leads somewhere, and nothing comes from elsewhere", () => {
  assert.deepEqual(checkSite(site.files), []);
});

test("a link that leads nowhere and a file from elsewhere are named", () => {
  const files = [
    {
      path: "index.html",
      body: '<a class="x" href="guides/a.html#top">a</a><h2 id="here">b</h2>',
    },
    {
      path: "guides/a.html",
      body: `<a href="../index.html#here">home</a><a href="https://example.com/">elsewhere</a>
        <a href="b.html">b</a><img src="https://example.com/x.png"><script src="../app.js"></script>`,
    },
  ];
  assert.deepEqual(checkSite(files), [
    'index.html: "guides/a.html#top" names no heading of that page',
    'guides/a.html: "b.html" leads nowhere',
    "guides/a.html: loads https://example.com/x.png from another server",
    'guides/a.html: "../app.js" leads nowhere',
  ]);
});

test("every page has its place, a next step, code with a language and columns with a name", () => {
  for (const { path, source } of pages.values()) {
    const html = read(path);
    assert.match(html, /<nav class="breadcrumb"/, source);
    assert.match(html, /<a class="(prev|next)"/, source);
    assert.equal(html.split("<pre").length, html.split('class="code-bar"').length, source);
    assert.doesNotMatch(html, /<th[^>]*><\/th>/, source);
  }
});

test("a long name breaks where its words end", () => {
  assert.ok(read("docs/reference/errors.html").includes("<code>rate_<wbr />limited</code>"));
});

test("a page loads one small style and two small scripts, whose names change with them", () => {
  const page = read("docs/operate/backups.html");
  const loaded = [...page.matchAll(/(?:<script src|<link rel="stylesheet" href)="([^"]*)"/g)].map(
    ([, url = ""]) => url.replace("../../", ""),
  );
  assert.equal(loaded.length, 3);
  for (const path of loaded) assert.match(path, /^assets\/\w+-[0-9a-f]{10}\.(css|js)$/);
  assert.ok(loaded.reduce((sum, path) => sum + read(path).length, 0) < 26_000);
});

test("what is for maintainers is not on the site, and links to it are text", () => {
  assert.ok(site.files.every(({ path }) => !/decisions|threats|asvs|docs\/storage/.test(path)));
  const architecture = read("docs/architecture.html");
  assert.match(architecture, /binding choices in decisions/);
});

test("a page leads to itself in the other language, or to the landing page of it", () => {
  const deutsch = (path: string) =>
    /href="([^"]*)"\s+lang="de"\s+hreflang="de"/.exec(read(path))?.[1];
  assert.equal(deutsch("docs/quick-starts/operate-a-server.html"), "de/operate-a-server.html");
  assert.equal(deutsch("docs/operate/backups.html"), "../../de/index.html");
});

test("without what a package lacks, links to it become text", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "trellis-docs-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const name of ["docs", "openapi", "vectors"]) {
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  }
  const packed = renderDocs(root);
  assert.deepEqual(checkSite(packed.files), []);
  assert.ok(packed.files.every(({ path }) => path !== "CONTRIBUTING.html"));
  const guide = read("docs/guides/embed-a-service.html", packed);
  assert.doesNotMatch(guide, /href="[^"]*\.ts/);
});

test("hostile Markdown runs nothing, and shows no file from outside the repository", async (t) => {
  const outside = await mkdtemp(join(tmpdir(), "trellis-docs-"));
  t.after(() => rm(outside, { recursive: true, force: true }));
  const root = join(outside, "repository");
  await mkdir(join(root, "docs"), { recursive: true });
  await writeFile(join(outside, "secret.json"), '"secret"');
  await writeFile(
    join(root, "docs/glossary.md"),
    `# Hostile <img src=x onerror=alert(1)>

<script>alert(2)</script>

[one](javascript:alert(3)) [two](../../secret.json) [three](%2e%2e/../secret.json)
`,
  );
  const rendered = renderDocs(root);
  const hostile = read("docs/glossary.html", rendered);
  const [, article = ""] = /<article class="prose">(.*?)<\/article>/s.exec(hostile) ?? [];
  assert.match(article, /two three/);
  assert.doesNotMatch(article, /<img|<script|href="(javascript|[^"]*secret)/);
  assert.deepEqual(
    rendered.files.filter(({ path }) => /^\.\.|secret/.test(path)),
    [],
  );
});

const FIRST_RESULTS: readonly (readonly [query: string, path: RegExp])[] = [
  ["restore a backup", /^docs\/operate\/backups\.html$/],
  ["lost phone", /^docs\/guides\/(lost-or-stolen|run-your-own-sync)\.html/],
  ["encrypt", /^docs\/guides\/encrypt-your-data\.html$/],
  ["encryption", /^docs\/guides\/encrypt-your-data\.html$/],
  ["port", /^docs\/operate\/install\.html#ports$/],
  ["port taken", /^docs\/operate\/install\.html#ports$/],
  ["rate_limited", /^docs\/reference\/errors\/sync\.html#rate_limited$/],
  ["redirect URI", /^docs\/(guides|quick-starts)\//],
  ["passkey", /^docs\/guides\//],
  ["install", /^docs\/operate\/install\.html$/],
  ["getting started", /^docs\/quick-starts\/index\.html$/],
  ["self-host", /^docs\/(guides|quick-starts)\/run-your-own-sync\.html$/],
  ["conflict", /^docs\/guides\/add-sync-to-your-app\.html/],
  ["merge", /^docs\/guides\/add-sync-to-your-app\.html/],
  ["backup", /^docs\/operate\/backups\.html$/],
  ["alternatives", /^docs\/comparison\.html/],
  ["protocol of sync", /^docs\/protocol\/sync\.html$/],
  ["dark mode", /^docs\/guides\/host-the-download-page\.html#give-it-a-theme$/],
  ["docker", /^docs\/operate\/install\.html/],
  ["postgres", /^docs\/operate\/postgres\.html$/],
  ["publish a release", /^docs\/(guides|quick-starts)\/publish-releases\.html$/],
  ["update client", /^docs\/guides\/embed-the-update-client\.html$/],
  ["school calendar", /^docs\/quick-starts\/feed-a-school-calendar\.html$/],
  ["key rotation", /^docs\/operate\/upgrade\.html#rotate/],
  ["error codes", /^docs\/reference\/errors\.html$/],
  ["trellis sync restore", /^docs\/reference\/commands\/sync\.html#trellis-sync-restore$/],
  ["sync.baseUrl", /^docs\/reference\/configuration\/sync\.html#syncbaseurl$/],
];
const GERMAN_RESULTS: typeof FIRST_RESULTS = [
  ["Schulkalender", /^docs\/quick-starts\/de\/feed-a-school-calendar\.html$/],
  ["Server betreiben", /^docs\/quick-starts\/de\/operate-a-server\.html$/],
  ["Version veröffentlichen", /^docs\/quick-starts\/de\/publish-releases\.html$/],
  ["selbst hosten", /^docs\/quick-starts\/de\/run-your-own-sync\.html$/],
  ["Backup wiederherstellen", /^docs\/operate\/backups\.html$/],
  ["Datensicherung", /^docs\/operate\/backups\.html$/],
  ["Konflikt", /^docs\/guides\/add-sync-to-your-app\.html/],
  ["Sync einbauen", /^docs\/quick-starts\/de\/add-sync-to-an-app\.html$/],
  ["postgres", /^docs\/operate\/postgres\.html$/],
];

test("a search finds the guide first", () => {
  const all = [...pages.values()];
  const english = buildSearchIndex(all, "en");
  const find = createSearch([english]);
  const findGerman = createSearch([buildSearchIndex(all, "de"), english]);
  for (const [search, table] of [
    [find, FIRST_RESULTS],
    [findGerman, GERMAN_RESULTS],
  ] as const) {
    for (const [query, path] of table) {
      const [first] = search(query);
      assert.match(`${first?.page.path}${first?.anchor && `#${first.anchor}`}`, path, query);
    }
  }
  assert.deepEqual(find("zzzzzz"), []);
});

test("a search has no protocol until the reader asks for one", () => {
  const find = createSearch([buildSearchIndex([...pages.values()], "en")]);
  const protocols = (query: string) => find(query).filter(({ page }) => page.isProtocol).length;
  assert.equal(protocols("cursor"), 0);
  assert.ok(protocols("cursor protocol") > 0);
});

test("a result has the words around what was looked for", () => {
  const find = createSearch([buildSearchIndex([...pages.values()], "en")]);
  const [first] = find("restore a backup");
  const text = first?.excerpt.map((part) => part.text).join("") ?? "";
  assert.ok(text.length > 80 && text.length < 170, text);
  assert.ok(
    first?.excerpt.some((part) => part.isMatch && /restor|backup/i.test(part.text)),
    text,
  );
});

test("npm run docs -- --help ends, and so does a wrong argument", () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(ROOT, "scripts/docs.ts"), ...words], { encoding: "utf8" });
  const help = run("--help");
  assert.equal(help.status, 0);
  assert.match(help.stdout, /npm run docs -- dev/);
  for (const words of [["preview"], ["--watch"], ["dev", "--port", "many"]]) {
    const { status, stderr } = run(...words);
    assert.equal(status, 2, words.join(" "));
    assert.match(stderr, /Use one of these:[^]*npm run docs -- dev/);
  }
});

test("npm run docs -- dev says that its port is taken", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const words = [join(ROOT, "scripts/docs.ts"), "dev", "--port", String(port)];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  assert.equal(status, 1);
  assert.equal(stderr, `Port ${port} is taken: choose another with --port\n`);
});

test("npm run docs -- dev goes on after an address that is none", async (t) => {
  const server = spawn(process.execPath, [join(ROOT, "scripts/docs.ts"), "dev"]);
  t.after(() => server.kill());
  server.stdout.setEncoding("utf8");
  const [printed] = (await once(server.stdout, "data")) as [string];
  const { port } = new URL(printed.trim());
  for (const [path, status] of [
    ["//", 404],
    ["/%", 404],
    ["/docs/../package.json", 404],
    ["/index.html?x=1", 200],
  ] as const) {
    // Unlike `fetch`, this sends the path as it is.
    const request = get({ host: "127.0.0.1", port, path });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, status, path);
  }
});
