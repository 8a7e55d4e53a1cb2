/** The addresses of the guide are those of the service. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";

const GUIDE = join(import.meta.dirname, "../../../docs/guides/feed-existing-updaters.md");
const BASE_URL = "https://releases.example.com";

test("every address in the guide responds with a feed", async (t) => {
  const fixture = await createCatalogFixture({ releases: 3, forUpdaters: true });
  t.after(fixture.remove);
  const service = createReleaseService({
    catalog: fixture.folder,
    baseUrl: BASE_URL,
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://www.example.com/#download",
  });
  t.after(service.close);
  const guide = await readFile(GUIDE, "utf8");
  const addresses = new Set(
    [...guide.matchAll(/https:\/\/releases\.example\.com\/feeds\/[^\s`"<]+/g)].map(([address]) =>
      address
        // electron-updater adds the name of the file.
        .replace(/\/feeds\/electron$/, "/feeds/electron/latest.yml")
        .replace("{{target}}", "windows")
        .replace("{{arch}}", "x86_64")
        .replace("{{bundle_type}}", "msi")
        .replace("{{current_version}}", "0.9.0")
        .replace("${process.arch}", "x64"),
    ),
  );
  assert.ok(addresses.size >= 6, `${addresses.size} addresses`);
  for (const address of addresses) {
    assert.equal((await service.fetch(new Request(address))).status, 200, address);
  }
});
