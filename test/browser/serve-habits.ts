/** The example app on loopback, with the real services beside it. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import type { Config } from "../../examples/habits/src/config.ts";
import { listen } from "../../src/http/listen.ts";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { createReleaseService } from "../../src/release/service.ts";
import { createEventsPages } from "../../src/server/events-pages.ts";
import { openSyncStore } from "../../src/server/open-sync-store.ts";
import { createSyncService } from "../../src/server/sync.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { createAdministration } from "../../src/sync/administration.ts";
import { buildHabitsSite } from "../../src/web/habits/habits-site.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";
import { startInstance } from "../events/service/events-instance.ts";
import { addSource, put, write } from "../events/store/samples.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { authorize, type Ask } from "../sync/sync-client.ts";

export const ANNA = { username: "anna", password: "Blaue Häuser, 7 Türen" };

export interface ServedHabits {
  readonly origin: string;
  readonly syncUrl: string;
  readonly config: Config;
  /** While true, the app's own server does not respond. */
  isDown: boolean;
  /** Ends the sessions of all devices. */
  revokeDevices(): Promise<void>;
  addEvent(id: string, title: string, date: string): Promise<void>;
  /** The same app with other settings, on an origin of its own; sync does not know that origin. */
  serveApp(config: Config): Promise<string>;
}

interface Cleanup {
  after(run: () => unknown): void;
}

export async function serveHabits(t: Cleanup): Promise<ServedHabits> {
  const app = createServer();
  const origin = await listenOnLocalhost(t, app);
  const sync = await serveSync(t, origin);
  const release = await serveReleases(t);
  const events = await serveEvents(t, origin);
  const config: Config = {
    storageName: "habits",
    deviceName: "Annas Telefon",
    sync: { baseUrl: sync.baseUrl },
    events: {
      clientId: "habits",
      service: {
        origin: "https://planner.example.org",
        name: "Annas Planer",
        developmentAddress: events.origin,
      },
    },
    release: {
      baseUrl: release.baseUrl,
      product: "habits",
      keys: release.catalog.keys,
      platform: "linux",
      current: { version: "1.0.1", buildNumber: 1 },
    },
    parentOrigin: origin,
  };
  const served: ServedHabits = {
    origin,
    syncUrl: sync.baseUrl,
    config,
    isDown: false,
    revokeDevices: sync.revokeDevices,
    addEvent: events.addEvent,
    serveApp: async (given) => {
      const other = createServer(createSiteListener(given));
      return listenOnLocalhost(t, other);
    },
  };
  const respond = createSiteListener(config);
  app.on("request", (request, response) => {
    if (served.isDown) response.destroy();
    else respond(request, response);
  });
  return served;
}

async function listenOnLocalhost(t: Cleanup, server: Server): Promise<string> {
  server.listen(0, "localhost");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** The files of the app, and a page that shows it in a frame. */
function createSiteListener(config: Config): RequestListener {
  const { files, headers } = buildHabitsSite(config);
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === FRAME_PATH) {
      response.writeHead(200, { "Content-Type": "text/html" }).end(FRAME_PAGE);
      return;
    }
    const file = files.get(pathname);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { ...headers, "Content-Type": file.mediaType }).end(file.body);
  };
}

export const FRAME_PATH = "/frame";

const FRAME_PAGE = `<!doctype html><title>Frame</title>
<script>
  window.messages = [];
  addEventListener("message", ({ data }) => messages.push(data));
</script>
<iframe src="/" width="400" height="700"></iframe>`;

const LIMITS = {
  maxHeaderBytes: 16_384,
  headerTimeoutSeconds: 15,
  requestTimeoutSeconds: 30,
  responseTimeoutSeconds: 30,
  maxConnectionsPerNetwork: 200,
  keepAliveSeconds: 5,
  maxConnections: 200,
  stopSeconds: 1,
};

/** The service may need the address of its listener. */
async function listenLate<T>(
  t: Cleanup,
  create: (baseUrl: string) => T,
  httpOf: (service: T) => HttpService,
): Promise<{ readonly baseUrl: string; readonly service: T }> {
  const listener = await listen(
    {
      respond: (request) => httpOf(service).respond(request),
      protocolErrorResponse: (error, cause) => httpOf(service).protocolErrorResponse(error, cause),
    },
    { host: "127.0.0.1", port: 0, limits: LIMITS },
  );
  const baseUrl = `http://localhost:${listener.port}`;
  const service = create(baseUrl);
  t.after(() => listener.stop());
  return { baseUrl, service };
}

const { createPlace } = createStorePlaces(openSyncStore);

async function serveSync(t: Cleanup, appOrigin: string) {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const instanceKey = createInstanceKey(crypto.getRandomValues(new Uint8Array(32)));
  await addSyncAccount(store, instanceKey, ANNA);
  const { baseUrl, service } = await listenLate(
    t,
    (baseUrl) =>
      createSyncService({
        store,
        instanceKey,
        baseUrl,
        displayName: "Annas Abgleich",
        redirectUris: [`${appOrigin}/callback`],
        corsOrigins: [appOrigin],
      }),
    ({ http }) => http,
  );
  t.after(() => service.endStreams());
  const administration = createAdministration(store, instanceKey, Date.now);
  return {
    baseUrl,
    revokeDevices: async () => void (await administration.revokeAllDevices()),
  };
}

async function serveReleases(t: Cleanup) {
  const catalog = await createCatalogFixture({ releases: 3, betaEvery: 0 });
  t.after(() => catalog.remove());
  const { baseUrl, service } = await listenLate(
    t,
    (baseUrl) =>
      createReleaseService({
        catalog: catalog.folder,
        baseUrl,
        smartDownloadUrl: "https://get.example.com",
        websiteDownloadUrl: "https://example.com/#download",
      }),
    ({ api }) => api,
  );
  await service.ready;
  t.after(() => service.close());
  return { baseUrl, catalog };
}

async function serveEvents(t: Cleanup, appOrigin: string) {
  const instance = await startInstance(t, {
    accounts: [ANNA],
    clients: [{ id: "habits", name: "Habits", redirectUris: [`${appOrigin}/connected`] }],
    serviceName: "Annas Planer",
    pages: createEventsPages,
    now: Date.now,
    isAtOwnAddress: true,
    ownHost: "localhost",
  });
  const accountId = instance.accountIds.get(ANNA.username) ?? "";
  const { sourceId } = await addSource(instance.store, accountId, "school");
  return {
    origin: `http://localhost:${instance.port}`,
    addEvent: async (id: string, title: string, date: string) => {
      const change = put(id, date, { type: "homework", title });
      await write(instance.store, [accountId, sourceId], [change], Date.now());
    },
  };
}

/** Fills in a sign-in page of a service. */
export async function signInOnPage(page: Page): Promise<void> {
  await page.locator("#username").fill(ANNA.username);
  await page.locator("#password").fill(ANNA.password);
  await page.keyboard.press("Enter");
}

/** As `signInOnPage` at the sync service, without the second that a browser needs for the proof. */
export async function signInQuickly(page: Page, { syncUrl }: ServedHabits): Promise<void> {
  const ask: Ask = (path, init) => fetch(`${syncUrl}${path}`, init);
  await page.route(`${syncUrl}/v1/authorize?*`, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const get = (name: string) => query.get(name) ?? "";
    const { code, state, redirectUri } = await authorize(
      ask,
      {
        ...ANNA,
        deviceId: get("device_id"),
        redirectUri: get("redirect_uri"),
        state: get("state"),
        codeChallenge: get("code_challenge"),
      },
      get("attempt_id"),
    );
    const callback = `${redirectUri}?${new URLSearchParams({ code, state }).toString()}`;
    const script = `<script>location.replace(${JSON.stringify(callback)})</script>`;
    await route.fulfill({ contentType: "text/html", body: `<!doctype html>${script}` });
  });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator('.chip[data-kind="up-to-date"]').waitFor();
  await page.unrouteAll();
}

/** A device: a browser context with its own storage. */
export async function openDevice(
  context: BrowserContext,
  origin: string,
  problems: string[],
): Promise<Page> {
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(origin);
  await page.locator(".day").waitFor();
  return page;
}
