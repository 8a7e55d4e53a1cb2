/** The update client reads the history of a service, as its maker signed it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  createMemoryStorage,
  createUpdateClient,
  type UpdateClientOptions,
} from "../../src/client/index.ts";
import { createReleaseService, type ReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";

const BASE = "https://releases.example.com";
let fixture: CatalogFixture;
let service: ReleaseService;

before(async () => {
  fixture = await createCatalogFixture({ releases: 45, drafts: 1 });
  service = createReleaseService({
    catalog: fixture.folder,
    baseUrl: BASE,
    smartDownloadUrl: "https://download.example.com",
    websiteDownloadUrl: "https://www.example.com/#download",
  });
});
after(async () => {
  await service.close();
  await fixture.remove();
});

interface Observed {
  readonly asked: string[];
}

/** `change` edits a response of the service. */
function clientOf(
  { asked }: Observed = { asked: [] },
  change: (path: string, text: string) => string = (_path, text) => text,
  options: Partial<UpdateClientOptions> = {},
) {
  return createUpdateClient({
    baseUrl: BASE,
    product: fixture.settings.product,
    keys: fixture.keys,
    platform: "linux",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    fetch: async (input, init) => {
      const response = await service.fetch(new Request(input, init ?? {}));
      const { pathname } = new URL(input);
      asked.push(pathname);
      if (response.status !== 200) return response;
      return new Response(change(pathname, await response.text()), { headers: response.headers });
    },
    ...options,
  });
}

test("the history is every release, newest first, and a check asks for no archive", async () => {
  const observed: Observed = { asked: [] };
  const client = clientOf(observed);
  const check = await client.check();
  assert.equal(check.kind, "update-available");
  assert.deepEqual(observed.asked, ["/api/v1/manifest"]);
  const history = await client.history();
  assert.equal(history.kind, "history");
  const builds = history.releases.map(({ buildNumber }) => buildNumber);
  assert.deepEqual(
    builds,
    Array.from({ length: 45 }, (_, index) => 45 - index),
  );
  const source = fixture.releases.find(({ version }) => version === "1.0.1");
  assert.deepEqual(history.releases.at(-1)?.notes, source?.notes);
});

test("an archive with another digest is used for nothing", async () => {
  const client = clientOf(undefined, (path, text) =>
    path.startsWith("/feeds/archive/") ? text.replace("Smaller fixes", "Larger fixes.") : text,
  );
  const result = await client.history();
  assert.equal(result.kind, "altered-archive");
  assert.match(result.url, /\/feeds\/archive\/[0-9a-f]{64}$/);
  assert.notEqual(result.found, result.expected);
});

test("an archive of more bytes than were signed is not read to its end", async () => {
  const client = clientOf(undefined, (path, text) =>
    path.startsWith("/feeds/archive/") ? `${text} ` : text,
  );
  const result = await client.history();
  assert.equal(result.kind, "no-archive");
  assert.equal(result.error.kind, "too-large");
});

test("an app can bound the archive, and a manifest that does not verify has no history", async () => {
  const bounded = await clientOf(undefined, undefined, {
    limits: { maxArchiveBytes: 1000 },
  }).history();
  assert.deepEqual(bounded, {
    kind: "no-archive",
    error: { kind: "too-large", maxBytes: 1000 },
    notices: [],
  });
  const other = await clientOf(undefined, undefined, { product: "other" }).history();
  assert.equal(other.kind, "cannot-confirm");
});

test("a history that fits into the manifest needs no archive", async (t) => {
  const small = await createCatalogFixture({ releases: 3 });
  t.after(() => small.remove());
  const envelope = readFileSync(join(small.folder, "manifest.json"), "utf8");
  const client = clientOf(undefined, undefined, {
    keys: small.keys,
    fetch: async () => new Response(envelope),
  });
  const history = await client.history();
  assert.equal(history.kind, "history");
  assert.equal(history.releases.length, 3);
});
