/** The sync client in real browser tabs: IndexedDB, Web Locks, BroadcastChannel, another origin. */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { after, before, test, type TestContext } from "node:test";
import { arrayBuffer } from "node:stream/consumers";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type * as ClientModule from "../../src/client/index.ts";
import type * as EncryptionModule from "../../src/client/encryption/index.ts";
import type * as ContractModule from "../../storage-contract/index.ts";
import { signInOnPage } from "../client/sync/sign-in-on-page.ts";
import { createWorld, type World } from "../client/sync/world.ts";
import { bundleEncryptedClient, bundleStorageContract } from "../fixtures/bundle-client.ts";
import { serveOnLoopback } from "../fixtures/loopback-server.ts";
import { REDIRECT_URI } from "../sync/service/sync-service.ts";
import { launchChromium } from "./launch-chromium.ts";

declare global {
  interface Window {
    client: ClientModule.SyncClient;
    signInOnPage(url: string): Promise<string>;
  }
}

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(() => browser.close());

async function serveApp(t: TestContext): Promise<string> {
  const { code } = await bundleEncryptedClient();
  const contract = await bundleStorageContract();
  const scripts: Record<string, string> = { "/client.js": code, "/contract.js": contract };
  return serveOnLoopback(t, ({ url = "" }, response) => {
    const script = scripts[url];
    response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? "<!doctype html><title>App</title>");
  });
}

/** The service of the world, over HTTP. */
function listen(world: World): RequestListener {
  return async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const body = await arrayBuffer(request);
    const received = await world.ask(url, {
      method,
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ...(body.byteLength > 0 && { body }),
    });
    response.writeHead(received.status, [...received.headers].flat());
    response.end(Buffer.from(await received.arrayBuffer()));
  };
}

test("the storage contract holds for IndexedDB", async (t) => {
  const origin = await serveApp(t);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(origin);
  const results = await page.evaluate(async () => {
    const { createIndexedDbStorage } = (await import(
      `${location.origin}/client.js`
    )) as typeof ClientModule;
    const { createStorageCases } = (await import(
      `${location.origin}/contract.js`
    )) as typeof ContractModule;
    let places = 0;
    const cases = createStorageCases({
      isShared: true,
      createPlace: async () => {
        const name = `place-${++places}`;
        const remove = () =>
          new Promise<void>((resolve, reject) => {
            const request = indexedDB.deleteDatabase(name);
            request.addEventListener("success", () => resolve());
            request.addEventListener("error", () => reject(new Error("Cannot be removed")));
          });
        return { open: async () => createIndexedDbStorage(name), remove };
      },
    });
    const failed: string[] = [];
    for (const { name, run } of cases) {
      await run().catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
    }
    return { count: cases.length, failed };
  });
  assert.deepEqual(results.failed, []);
  assert.ok(results.count >= 15);
});

test("a page that is left ends the work on its database, and begins none until it is shown again", async (t) => {
  const origin = await serveApp(t);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(origin);
  const seen = await page.evaluate(async () => {
    const { createIndexedDbStorage } = (await import(
      `${location.origin}/client.js`
    )) as typeof ClientModule;
    const storage = createIndexedDbStorage("left");
    const leave = () => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    const settled = await storage.transaction("write", async ({ put }) => put("a", "1"));
    const first = await storage
      .transaction("write", async ({ get, put }) => {
        put("a", "2");
        leave();
        await get("a");
      })
      .then(
        () => "stored",
        () => "refused",
      );
    let isRead = false;
    const later = storage
      .transaction("read", ({ get }) => get("a"))
      .then((value) => {
        isRead = true;
        return value;
      });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const wasRead = isRead;
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    return { settled, first, wasRead, value: await later };
  });
  assert.deepEqual(seen, { settled: undefined, first: "refused", wasRead: false, value: "1" });
});

test("a browser keeps keys in IndexedDB until they are deleted", async (t) => {
  const origin = await serveApp(t);
  const page = await browser.newPage();
  t.after(() => page.close());
  const read = async (): Promise<string | null> => {
    await page.goto(origin);
    return page.evaluate(async () => {
      const module = `${location.origin}/client.js`;
      const { createEncryption } = (await import(module)) as typeof EncryptionModule;
      const { keyStore } = createEncryption();
      const kept = await keyStore.read("phone-1");
      if (kept === null) await keyStore.write("phone-1", "the keys");
      else await keyStore.delete("phone-1");
      return kept;
    });
  };
  assert.deepEqual([await read(), await read(), await read()], [null, "the keys", null]);
});

/** A tab with a client on the database `habits`. */
async function openTab(context: BrowserContext, world: World, urls: Urls): Promise<Page> {
  const page = await context.newPage();
  await page.exposeFunction("signInOnPage", (url: string) =>
    signInOnPage(world.ask, url.replace(urls.service, "http://localhost:4811")),
  );
  await page.goto(urls.app);
  await page.evaluate(
    async ({ baseUrl, redirectUri }) => {
      const { createIndexedDbStorage, createSyncClient } = (await import(
        `${location.origin}/client.js`
      )) as typeof ClientModule;
      window.client = await createSyncClient({
        baseUrl,
        redirectUri,
        storage: createIndexedDbStorage("habits"),
        deviceName: "Chromium",
        profile: "open",
      });
    },
    { baseUrl: urls.service, redirectUri: REDIRECT_URI },
  );
  return page;
}

interface Urls {
  readonly app: string;
  readonly service: string;
}

const signIn = (page: Page) =>
  page.evaluate(async () => {
    const begun = await window.client.beginSignIn();
    if (begun.kind !== "begun") return begun.error;
    const result = await window.client.completeSignIn(await window.signInOnPage(begun.url));
    return result.kind === "signed-in" ? result.kind : result.error;
  });

const showsTitle = (page: Page, title: string) =>
  page.waitForFunction(
    (wanted) => window.client.entities.get("note/1")?.payload["title"] === wanted,
    title,
  );

const isUpToDate = (page: Page) =>
  page.waitForFunction(() => {
    const { kind, pending } = window.client.status;
    return kind === "up-to-date" && pending === 0;
  });

const isStorageLost = (page: Page) =>
  page.waitForFunction(() => window.client.status.kind === "storage-lost");

test("site data that is cleared under open tabs is storage-lost in all, and a sign-in brings it back", async (t) => {
  const app = await serveApp(t);
  const world = await createWorld(t, { corsOrigins: [app], now: Date.now });
  world.clock.now = Date.now();
  const urls = { app, service: await serveOnLoopback(t, listen(world)) };
  const context = await browser.newContext();
  t.after(() => context.close());
  const [first, second] = [
    await openTab(context, world, urls),
    await openTab(context, world, urls),
  ];
  assert.equal(await signIn(first), "signed-in");
  await first.evaluate(() => window.client.create("note/1", { title: "Sent" }));
  await isUpToDate(first);
  await isUpToDate(second);
  const session = await context.newCDPSession(first);
  await session.send("Storage.clearDataForOrigin", { origin: app, storageTypes: "indexeddb" });
  await Promise.all([isStorageLost(first), isStorageLost(second)]);
  assert.equal(await signIn(second), "signed-in");
  await showsTitle(first, "Sent");
  await showsTitle(second, "Sent");
  await isUpToDate(first);
});

test("a page of an origin that is not listed learns so before the sign-in, and after it", async (t) => {
  const app = await serveApp(t);
  const corsOrigins = [app];
  const world = await createWorld(t, { corsOrigins, now: Date.now });
  world.clock.now = Date.now();
  const service = await serveOnLoopback(t, listen(world));
  const context = await browser.newContext();
  t.after(() => context.close());
  const elsewhere = app.replace("127.0.0.1", "localhost");
  assert.notEqual(elsewhere, app);
  const page = await openTab(context, world, { app: elsewhere, service });
  const error = await page.evaluate(async () => {
    const begun = await window.client.beginSignIn();
    return begun.kind === "begun" ? null : begun.error;
  });
  assert.equal(error?.kind, "unreachable");
  assert.ok(error.message.includes(`lacks the origin "${elsewhere}"`), error.message);

  const listed = await openTab(context, world, { app, service });
  // The operator takes the origin off the list while the person is on the sign-in page.
  await listed.route(`${service}/v1/token`, (route) => route.abort());
  const missing = (await signIn(listed)) as { kind: string; message: string };
  assert.equal(missing.kind, "cors-missing");
  assert.ok(missing.message.includes(`"${app}" to sync.corsOrigins`), missing.message);
});

test("tabs of Chromium share one engine across origins, and a killed tab loses nothing", async (t) => {
  const app = await serveApp(t);
  const world = await createWorld(t, { corsOrigins: [app], now: Date.now });
  world.clock.now = Date.now();
  const service = await serveOnLoopback(t, listen(world));
  const urls = { app, service };
  const context = await browser.newContext();
  t.after(() => context.close());
  const first = await openTab(context, world, urls);
  await first.evaluate(() => window.client.create("note/1", { title: "Before sign-in" }));
  const second = await openTab(context, world, urls);
  await showsTitle(second, "Before sign-in");
  assert.equal(await signIn(second), "signed-in");
  await isUpToDate(first);
  await isUpToDate(second);

  await second.evaluate(() => window.client.patch("note/1", { title: "Of the second" }));
  await showsTitle(first, "Of the second");
  await isUpToDate(second);

  // The leading tab is killed right after an edit has settled; the other one sends it.
  await first.evaluate(() => window.client.patch("note/1", { title: "Last words" }));
  await first.close();
  await showsTitle(second, "Last words");
  await isUpToDate(second);
  const device = await world.device({ now: Date.now });
  assert.deepEqual(device.entities.get("note/1")?.payload, { title: "Last words" });

  const reopened = await openTab(context, world, urls);
  await showsTitle(reopened, "Last words");
});

test("a commit that fails and a deleted database are told, and the client goes on", async (t) => {
  const app = await serveApp(t);
  const world = await createWorld(t);
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await openTab(context, world, { app, service: app });
  const create = (entityId: string) =>
    page.evaluate(async (id) => {
      const result = await window.client.create(id, { title: "Kept" });
      return result.kind === "refused" ? result.reason : result.kind;
    }, entityId);
  const shown = () => page.evaluate(() => window.client.entities.list().map((one) => one.entityId));

  assert.equal(await create("note/1"), "stored");
  // A full disk aborts a transaction when it is committed.
  await page.evaluate(() => {
    const { commit } = IDBTransaction.prototype;
    IDBTransaction.prototype.commit = function abortOnce(this: IDBTransaction) {
      IDBTransaction.prototype.commit = commit;
      this.abort();
    };
  });
  assert.equal(await create("note/2"), "storage_failed");
  assert.deepEqual(await shown(), ["note/1"]);
  assert.equal(await create("note/3"), "stored");
  assert.deepEqual(await shown(), ["note/1", "note/3"]);

  // As when a person clears the data of the site while the app is open.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase("habits").addEventListener("success", resolve);
      }),
  );
  await isStorageLost(page);
  assert.deepEqual(await shown(), []);
  assert.equal(await create("note/5"), "stored");
  assert.deepEqual(await shown(), ["note/5"]);
});
