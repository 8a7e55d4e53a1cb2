/** What `npm run docs` builds from, without building it. */
import assert from "node:assert/strict";
import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { checkSite } from "../../site/check-site.ts";
import { openedAsFile } from "../../site/opened-as-file.ts";
import { RepositoryLinks } from "../../site/repository-links.ts";
import { buildGermanSidebar, buildSidebar } from "../../site/sidebar.ts";

const ROOT = join(import.meta.dirname, "../..");

test("every page of docs/ is in a side bar, once", async () => {
  const groups = [...buildSidebar(), ...buildGermanSidebar()];
  const linked = groups.flatMap(({ items }) => items.map(({ link }) => link.slice(1)));
  const names = await readdir(join(ROOT, "docs"), { recursive: true });
  const pages = names.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const found = linked.filter((link) => link.startsWith("docs/"));
  assert.deepEqual(found.sort(), pages.sort(), "site/sidebar.ts says who reads which page");
});

test("the generator's lock file names no registry", async () => {
  const lock = await readFile(join(ROOT, "site/package-lock.json"), "utf8");
  assert.equal(lock.includes('"resolved"'), false);
  assert.match(lock, /"integrity": "sha512-/);
});

function renderLink(page: string, href: string) {
  const links = new RepositoryLinks(ROOT);
  let target = href;
  const token = {
    type: "link_open",
    attrGet: () => target,
    attrSet: (_name: string, value: string) => void (target = value),
  };
  const line = { ...token, type: "inline", children: [token] };
  const rules: ((state: { tokens: (typeof line)[]; env: { relativePath: string } }) => void)[] = [];
  links.install({ core: { ruler: { push: (_name, rule) => void rules.push(rule) } } });
  for (const rule of rules) rule({ tokens: [line], env: { relativePath: page } });
  return { links, target };
}

test("links to pages stay, those to other files lead to copies in the site", async (t) => {
  for (const href of ["storage.md#the-journal", "#here", "https://example.com/a.ts", "gone.ts"]) {
    assert.equal(renderLink("docs/architecture.md", href).target, href);
  }
  assert.match(renderLink("README.md", "docs/decisions/").target, /^docs\/decisions\/001-.+\.md$/);
  const site = await mkdtemp(join(tmpdir(), "trellis-site-"));
  t.after(() => rm(site, { recursive: true, force: true }));
  const { links, target } = renderLink("docs/guides/embed-a-service.md", "../../src/sync/store.ts");
  assert.equal(target, "/src/sync/store.ts.txt");
  links.copyTo(site);
  assert.equal(
    await readFile(join(site, target), "utf8"),
    await readFile(join(ROOT, "src/sync/store.ts"), "utf8"),
  );
});

test("a built page that leads nowhere or loads from elsewhere is named", async (t) => {
  const site = await mkdtemp(join(tmpdir(), "trellis-site-"));
  t.after(() => rm(site, { recursive: true, force: true }));
  await mkdir(join(site, "guides"));
  await writeFile(join(site, "index.html"), '<a class="x" href="/guides/a.html#top">a</a>');
  const page = `<a href="/">home</a><a href="https://example.com/">elsewhere</a>
    <a href="b.html">b</a><img src="https://example.com/x.png"><script src="/app.js"></script>`;
  await writeFile(join(site, "guides/a.html"), page);
  assert.deepEqual(checkSite(site), [
    'guides/a.html: "b.html" leads nowhere',
    "guides/a.html: loads https://example.com/x.png from another server",
    'guides/a.html: "/app.js" leads nowhere',
  ]);
});

test("a page that is opened as a file finds the others from its own folder", () => {
  const runIn = (page: string, href: string) => {
    const node = {
      href,
      getAttribute: (name: string) => (name === "href" ? node.href : null),
      setAttribute: (_: string, value: string) => void (node.href = value),
    };
    const document = { querySelectorAll: () => [node] };
    const observer = class {
      observe() {}
    };
    const globals = { location: { protocol: "file:" }, document, MutationObserver: observer };
    runInNewContext(openedAsFile(page), globals);
    return node.href;
  };
  assert.equal(
    runIn("docs/guides/lost-or-stolen.html", "/docs/storage.html"),
    "../../docs/storage.html",
  );
  assert.equal(runIn("docs/storage.html", "/"), "../index.html");
  assert.equal(runIn("index.html", "/docs/quick-starts/de/"), "./docs/quick-starts/de/index.html");
  assert.equal(runIn("docs/storage.html", "#top"), "#top");
});
