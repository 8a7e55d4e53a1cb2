/** The example app on loopback, with the real services beside it. */
import { createServer, type RequestListener } from "node:http";
import type { BrowserContext, Page } from "playwright-core";
import { createSiteService } from "../../src/server/site-service.ts";
import type { Config } from "../../examples/habits/src/config.ts";
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";
import { createNodeHandler } from "../../src/http/node-handler.ts";
import { createReleaseService } from "../../src/release/service.ts";
import { MIN_ACCEPTED_ITERATIONS } from "../../src/rules/identity/prove-password.ts";
import { createEventsPages } from "../../src/events/account/web-pages.ts";
import { buildHabitsSite } from "../../src/web/habits/habits-site.ts";
import { startInstance } from "../events/service/events-instance.ts";
import { addSource, put, write } from "../events/store/samples.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { listenOnLocalhost, serveService, type Cleanup } from "../fixtures/listen-on-localhost.ts";
import { serveSync } from "../sync/serve-sync.ts";
import { skipSignInPage } from "./skip-sign-in-page.ts";

export const ANNA = {
  username: "anna",
  password: "Blaue Häuser, 7 Türen",
  iterations: MIN_ACCEPTED_ITERATIONS,
};

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
  /** The same app on an origin of its own, with a sync server of the profile `sealed`. */
  serveSealed(): Promise<SyncedApp>;
}

export type SyncedApp = Pick<ServedHabits, "origin" | "syncUrl">;

export async function serveHabits(t: Cleanup): Promise<ServedHabits> {
  const { app, origin, sync } = await serveAppWithSync(t, "habits");
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
    revokeDevices: async () => void (await sync.administration.revokeAllDevices()),
    addEvent: events.addEvent,
    serveApp: async (given) => {
      const other = createServer(createSiteListener(given));
      return listenOnLocalhost(t, other);
    },
    serveSealed: async () => {
      const sealed = await serveAppWithSync(t, "sealed");
      const { baseUrl } = sealed.sync;
      const alone = { ...config, sync: { baseUrl }, events: null, release: null };
      sealed.app.on("request", createSiteListener(alone));
      return { origin: sealed.origin, syncUrl: baseUrl };
    },
  };
  const respond = createSiteListener(config);
  app.on("request", (request, response) => {
    if (served.isDown) response.destroy();
    else respond(request, response);
  });
  return served;
}

async function serveAppWithSync(t: Cleanup, profile: SyncProfile) {
  const app = createServer();
  const origin = await listenOnLocalhost(t, app);
  const sync = await serveSync(t, ANNA, {
    displayName: "Annas Abgleich",
    redirectUris: [`${origin}/callback`],
    corsOrigins: [origin],
    profile,
  });
  return { app, origin, sync };
}

/** The files of the app, a page that shows it in a frame, and one without it. */
function createSiteListener(config: Config): RequestListener {
  const site = buildHabitsSite(config);
  const respond = createNodeHandler(createSiteService(() => site));
  return (request, response) => {
    const page = PAGES[request.url ?? ""];
    if (page === undefined) respond(request, response);
    else response.writeHead(200, { "Content-Type": "text/html" }).end(page);
  };
}

export const FRAME_PATH = "/frame";

const FRAME_PAGE = `<!doctype html><title>Frame</title>
<script>
  window.messages = [];
  addEventListener("message", ({ data }) => messages.push(data));
</script>
<iframe src="/" width="400" height="700"></iframe>`;

/** Of the app's origin, for another program there. */
export const EMPTY_PATH = "/empty";

const PAGES: Readonly<Record<string, string>> = {
  [FRAME_PATH]: FRAME_PAGE,
  // A browser would ask for an icon.
  [EMPTY_PATH]: '<!doctype html><title>Empty</title><link rel="icon" href="data:," />',
};

async function serveReleases(t: Cleanup) {
  const catalog = await createCatalogFixture({ releases: 3, betaEvery: 0 });
  t.after(() => catalog.remove());
  const { baseUrl, service } = await serveService(
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
export async function signInQuickly(
  page: Page,
  { syncUrl }: SyncedApp,
  shown = page.locator('.chip[data-kind="up-to-date"]'),
): Promise<void> {
  await skipSignInPage(page, syncUrl, ANNA);
  await page.getByRole("button", { name: /^Sign in$|^Anmelden$/ }).click();
  await shown.waitFor();
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
  // The outline of the page has no heading.
  await page.locator(".day h1").waitFor();
  return page;
}
