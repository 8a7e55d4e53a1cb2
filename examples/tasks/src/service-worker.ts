/** Keeps the app's own files, so that it opens without a connection. Data is not its business. */
declare const self: ServiceWorkerGlobalScope;

const CACHE = "tasks";
const FILES = ["/", "/app.js", "/style.css"];

self.addEventListener("install", (event) => {
  const stored = caches.open(CACHE).then((cache) => cache.addAll(FILES));
  event.waitUntil(stored.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  // Every page is the same one. The address may hold a one-time code, which stays on the device.
  const path = mode === "navigate" ? "/" : pathname;
  if (origin === self.location.origin && FILES.includes(path)) event.respondWith(fetchOrFind(path));
});

/** The newest file if there is a connection, else the last one. */
async function fetchOrFind(path: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(path);
    if (response.ok) await cache.put(path, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(path);
    if (found === undefined) throw error;
    return found;
  }
}
