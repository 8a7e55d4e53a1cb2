/** Keeps the app's own files, so that it opens without a connection. Data is not its business. */
declare const self: ServiceWorkerGlobalScope;
/** A digest of the files, set by the bundler. */
declare const FILES_VERSION: string;
/** The paths of the scripts; each has the hash of its file. The bundler sets them, too. */
declare const SCRIPTS: readonly string[];
/** The one of them that the page begins with. */
declare const ENTRY_SCRIPT: string;

const CACHE = `habits-${FILES_VERSION}`;
const PAGE = "/";
const CONFIG = "/config.json";
const FILES = [...SCRIPTS, "/manifest.webmanifest", "/icon.svg", "/icon-192.png"];
/** A connection that is there and does not respond must not keep the app closed. */
const PATIENCE_MS = 2500;

self.addEventListener("install", (event) => {
  const stored = caches.open(CACHE).then((cache) => cache.addAll([PAGE, CONFIG, ...FILES]));
  event.waitUntil(stored.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  // Every page is the same one. The address may hold a one-time code, which stays on the device.
  if (mode === "navigate") event.respondWith(fetchOrFind(PAGE));
  else if (pathname === CONFIG) event.respondWith(fetchOrFind(CONFIG));
  else if (FILES.includes(pathname)) event.respondWith(findOrFetch(pathname));
});

async function removeOldCaches(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("habits-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function fetchOrFind(path: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.ok && (path !== PAGE || (await isOfThisVersion(response.clone())))) {
      await cache.put(path, response.clone());
    }
    return response;
  } catch (error) {
    const found = await cache.match(path);
    if (found === undefined) throw error;
    return found;
  }
}

/** The page of another version names scripts that this cache lacks; the worker of that version keeps both. */
async function isOfThisVersion(page: Response): Promise<boolean> {
  return (await page.text()).includes(ENTRY_SCRIPT);
}

async function findOrFetch(path: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? fetch(path);
}
