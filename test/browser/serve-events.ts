/** The events service with its pages on loopback, an app with a loopback redirect, and a feed. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Cookie } from "playwright-core";
import { createSubscriptions } from "../../src/events/subscriptions/subscriptions.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { MIN_ACCEPTED_ITERATIONS } from "../../src/rules/identity/prove-password.ts";
import { createEventsPages } from "../../src/events/account/web-pages.ts";
import { startInstance, type EventsInstance } from "../events/service/events-instance.ts";
import { createPlace } from "../events/store/on-both-stores.ts";
import type { TestAccount } from "../fixtures/password-keys.ts";
import { writeCalendar, type CalendarEntry } from "../events/subscriptions/calendar-text.ts";

const iterations = MIN_ACCEPTED_ITERATIONS;
export const ANNA = { username: "anna", password: "Blaue Häuser, 7 Türen", iterations };
export const BERT = { username: "bert", password: "Sieben Berge, 9 Täler", iterations };
export const APP_ID = "trellis-demo";
export const APP_NAME = "Trellis demo app";
export const SCHEME_URI = "trellis-demo://auth/callback";
export const STATE = "st4te!~with?odd&characters=#+%20";
export const FEED_URL = "https://calendar.example/10b.ics?key=secret";

export interface ServedEvents {
  readonly origin: string;
  readonly instance: EventsInstance;
  /** The redirect URI of the app. */
  readonly loopbackUri: string;
  /** The requests that reached the app. */
  readonly callbacks: URL[];
  /** The entries of the feed, or null for a web page. */
  readonly feed: { entries: readonly CalendarEntry[] | null };
  authorizeUrl(redirectUri: string): string;
}

export async function serveEvents(
  t: { after(run: () => unknown): void },
  now: () => number = Date.now,
): Promise<ServedEvents> {
  const callbacks: URL[] = [];
  const app = createServer((request, response) => {
    callbacks.push(new URL(request.url ?? "/", "http://localhost"));
    response.writeHead(200, { "Content-Type": "text/html" }).end("<title>The app</title>");
  });
  app.listen(0, "localhost");
  await once(app, "listening");
  t.after(() => {
    app.close();
    app.closeAllConnections();
  });
  const loopbackUri = `http://localhost:${(app.address() as AddressInfo).port}/callback`;

  const feed: ServedEvents["feed"] = { entries: [] };
  const place = await createPlace(t, "SQLite");
  const subscriptions = createSubscriptions({
    store: await place.open(),
    instanceKey: createInstanceKey(randomBytes(32)),
    randomBytes: (length) => Uint8Array.from(randomBytes(length)),
    fetchFeed: async () => ({
      kind: "fetched",
      bytes: Buffer.from(feed.entries === null ? "<!doctype html>" : writeCalendar(feed.entries)),
      etag: null,
      lastModified: null,
    }),
    defaultTimeZone: "UTC",
  });
  const instance = await startInstance(t, {
    place,
    accounts: [ANNA, BERT],
    clients: [{ id: APP_ID, name: APP_NAME, redirectUris: [SCHEME_URI, loopbackUri] }],
    serviceName: "Annas Planer",
    subscriptions,
    pages: createEventsPages,
    now,
    isAtOwnAddress: true,
    ownHost: "localhost",
  });
  const origin = `http://localhost:${instance.port}`;
  return {
    origin,
    instance,
    loopbackUri,
    callbacks,
    feed,
    authorizeUrl(redirectUri) {
      const query = new URLSearchParams({
        client_id: APP_ID,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "read:events",
        state: STATE,
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      });
      return `${origin}/api/oauth/authorize?${query.toString()}`;
    },
  };
}

/** Signs in and returns the cookies. */
export async function signInWithBrowser(
  browser: Browser,
  origin: string,
  { username, password }: TestAccount,
): Promise<Cookie[]> {
  const context: BrowserContext = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${origin}/sign-in`);
    await page.locator("#username").fill(username);
    await page.locator("#password").fill(password);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/`);
    return await context.cookies();
  } finally {
    await context.close();
  }
}
