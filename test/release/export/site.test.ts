/** The exported download page: its files, and the rules with which web servers send them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { LANGUAGES } from "../../../src/contract/language.ts";
import { chooseLanguage } from "../../../src/http/choose-language.ts";
import { exportRelease } from "../../../src/release/export/export-release.ts";
import { buildDownloadSite } from "../../../src/web/download/build-download-site.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { SITE_FILE_SAMPLE, SITE_PICTURES } from "../../fixtures/site-theme.ts";
import { ADDRESSES } from "./addresses.ts";
import { NGINX, runNginx, type RunningNginx } from "./run-nginx.ts";

let fixture: CatalogFixture;
let directory: string;

before(async () => {
  // The newest release has been stopped for installed copies.
  const rollouts = [{ version: "1.0.3", percent: 0 }];
  fixture = await createCatalogFixture({ releases: 3, settings: { rollouts } });
  directory = await mkdtemp(join(tmpdir(), "trellis-export-"));
  mkdirSync(join(fixture.folder, "site"));
  for (const [name, bytes] of Object.entries(SITE_PICTURES)) {
    writeFileSync(join(fixture.folder, "site", name), bytes);
  }
  writeTheme({});
});
after(async () => {
  await fixture.remove();
  await rm(directory, { recursive: true, force: true });
});

function writeTheme(members: object): void {
  const theme = JSON.stringify({ ...SITE_FILE_SAMPLE, ...members });
  writeFileSync(join(fixture.folder, "site.json"), theme);
}

function exportTo(name: string) {
  return exportRelease({
    ...ADDRESSES,
    catalog: fixture.folder,
    directory: join(directory, name),
    deployedAt: null,
    upstream: null,
    buildSite: ({ settings, releases }, site) =>
      buildDownloadSite({
        productName: site?.name ?? "Habits",
        product: settings.product,
        site,
        releases,
        smartDownloadUrl: ADDRESSES.smartDownloadUrl,
        websiteUrl: "https://www.example.com",
        apiBaseUrl: ADDRESSES.baseUrl,
        now: 0,
        sha256: (text) => createHash("sha256").update(text).digest("base64"),
      }),
    now: Date.now(),
  });
}

test("the page has the theme of site.json, and its pictures are files beside it", async () => {
  await exportTo("theme");
  const site = join(directory, "theme/current/site");
  assert.match(readFileSync(join(site, "index.html"), "utf8"), /Small habits that stay/);
  const picture = readFileSync(join(site, "images/phone.png"));
  assert.deepEqual(new Uint8Array(picture), SITE_PICTURES["phone.png"]);
  const again = await exportTo("theme");
  assert.equal(again.kind, "unchanged");
});

test("the page shows the newest published release, whatever its rollout", async () => {
  await exportTo("rollout");
  const page = readFileSync(join(directory, "rollout/current/site/index.html"), "utf8");
  assert.match(page, /<div class="hero" id="release-1\.0\.3">/);
});

test("an error in site.json is told before anything is written", async () => {
  writeTheme({ accent: "#ffff00" });
  await assert.rejects(exportTo("error"), /site\.json: accent "#ffff00" has a contrast of 1\.0:1/);
  assert.ok(!existsSync(join(directory, "error")));
  writeTheme({});
});

test("hosts that know languages lead Germans to German, and no visitor who has chosen", async () => {
  await exportTo("hosts");
  const redirects = readFileSync(join(directory, "hosts/current/site/_redirects"), "utf8");
  const lines = redirects.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  assert.deepEqual(lines, ["/ lang=:language /index.html 200!", "/ /de/ 302! Language=de"]);
});

const skip = NGINX === null && "nginx is not installed";

describe("behind nginx", { skip }, () => {
  let nginx: RunningNginx;
  before(async () => {
    await exportTo("nginx");
    nginx = await runNginx(join(directory, "nginx/current"));
  });
  after(() => nginx.stop());

  const ask = (path: string, acceptLanguage?: string) =>
    fetch(`http://127.0.0.1:${nginx.sitePort}${path}`, {
      redirect: "manual",
      headers: acceptLanguage === undefined ? {} : { "Accept-Language": acceptLanguage },
    });

  test("a visitor is led to the language that the live service would choose", async () => {
    for (const header of [
      "de",
      "DE-at,de;q=0.9,en-US;q=0.8,en;q=0.7",
      "fr-FR,fr;q=0.9,de;q=0.8,en;q=0.7",
      "en-US,en;q=0.9,de;q=0.8",
      "en",
      "fr, en;q=0.5, de;q=0.4",
      "den,eno;q=0.9",
      "fr",
      "*",
      "",
    ]) {
      const response = await ask("/", header);
      const isGerman = chooseLanguage(header, LANGUAGES) === "de";
      assert.equal(response.status, isGerman ? 302 : 200, header);
      assert.equal(response.headers.get("location"), isGerman ? "/de/" : null);
      assert.equal(response.headers.get("vary"), "Accept-Language");
      await response.body?.cancel();
    }
  });

  test("a query is kept, and a visitor who has chosen a language stays", async () => {
    assert.equal((await ask("/?utm=1", "de")).headers.get("location"), "/de/?utm=1");
    for (const path of ["/?lang=en", "/index.html", "/de/", "/de/index.html"]) {
      assert.equal((await ask(path, "de")).status, 200, path);
    }
  });

  test("every file has its type and the headers of the page", async () => {
    const headers = ["content-security-policy", "cache-control", "x-content-type-options"];
    const expected = await ask("/index.html");
    for (const [path, type] of [
      ["/", "text/html; charset=utf-8"],
      ["/de/", "text/html; charset=utf-8"],
      ["/images/phone.png", "image/png"],
      ["/images/desk.png", "image/png"],
    ] as const) {
      const response = await ask(path);
      assert.equal(response.headers.get("content-type"), type, path);
      for (const name of headers) {
        assert.ok(response.headers.get(name), `${path} ${name}`);
        assert.equal(response.headers.get(name), expected.headers.get(name), `${path} ${name}`);
      }
    }
    assert.match(await (await ask("/")).text(), /<html lang="en">/);
  });
});
