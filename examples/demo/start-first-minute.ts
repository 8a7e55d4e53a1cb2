/** Starts the services, the devices and the page that shows them side by side. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { listen, type Listener } from "../../src/http/listen.ts";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { readCatalog } from "../../src/release/catalog/read-catalog.ts";
import { trustedKeys } from "../../src/rules/release/catalog.ts";
import { buildHabitsSite } from "../../src/web/habits/habits-site.ts";
import { EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import { createSiteService } from "../../src/server/site-service.ts";
import { startServices } from "../../src/server/start.ts";
import { createDemoControls } from "./demo-controls.ts";
import { DEMO_PRODUCT, NEWEST_STABLE } from "./demo-releases.ts";
import {
  DEMO_ACCOUNT,
  DEMO_CLIENT_ID,
  DEVICES,
  localOrigin,
  type DeviceName,
} from "./demo-settings.ts";
import { PACKAGE_FOLDER } from "../../src/server/package-folder.ts";
import { createDocsService, renderDocsSite } from "./docs-service.ts";
import { createMirror } from "./mirror.ts";
import type { DemoPlaces } from "./page/look-around.ts";
import type { RunConformance } from "./run-conformance.ts";
import { createDemoPageService } from "./page-service.ts";
import type { PreparedDemo } from "./prepare-demo.ts";
import { startDemoSyncServer } from "./sync-server.ts";

/** Returns the address of the page. */
export async function startFirstMinute(
  demo: PreparedDemo,
  websiteUrl: string,
  runConformance: RunConformance,
): Promise<string> {
  const { configuration, ports, log, signal, stops } = demo;
  const services = await startServices(configuration, ["release", "events"], log, signal);
  stops.push(services.stop);
  const syncServer = await startDemoSyncServer(configuration, log, signal);
  stops.push(syncServer.stop);
  const { events, dataDir } = configuration;
  const eventsStore = await openServiceStore(EVENTS_STORE, events, dataDir);
  stops.push(() => eventsStore.close());
  const serve = async (port: number, service: HttpService): Promise<Listener> => {
    const { host } = configuration.release.listen;
    const listener = await listen(service, { host, port, limits: configuration.http });
    stops.push(listener.stop);
    signal.throwIfAborted();
    return listener;
  };
  const mirror = createMirror(configuration.release.baseUrl);
  await serve(ports.mirror, mirror.service);
  const pageOrigin = localOrigin(ports.page);
  const createConfig = await createAppConfig(demo, pageOrigin);
  for (const name of DEVICES) {
    const site = buildHabitsSite(createConfig(name));
    await serve(
      ports[name],
      createSiteService(() => site),
    );
  }
  const devices = DEVICES.map((name) => ({ name, origin: localOrigin(ports[name]) }));
  const controls = createDemoControls({ demo, syncServer, eventsStore, mirror, runConformance });
  stops.push(() => controls.close());
  const { backupCreatedAt, recoveryKey } = demo.sync;
  const shown = { devices, backupCreatedAt, recoveryKey: recoveryKey ?? "" };
  const { release, sync } = configuration;
  const places: DemoPlaces = {
    website: websiteUrl,
    release: release.baseUrl,
    smartDownload: release.smartDownload.url,
    sync: sync.baseUrl,
    signIn: demo.sync.signInUrl,
    events: events.baseUrl,
    authorize: demo.events.authorizeUrl,
    docs: await serveDocs(ports.docs, serve),
    account: DEMO_ACCOUNT,
  };
  const page = createDemoPageService({ origin: pageOrigin, ...shown, places, controls });
  await serve(ports.page, page);
  return `${pageOrigin}/`;
}

/** Returns the address; null where the documentation is not there. */
async function serveDocs(
  port: number,
  serve: (port: number, service: HttpService) => Promise<unknown>,
): Promise<string | null> {
  // A container image has no documentation.
  const folder = PACKAGE_FOLDER;
  if (folder === null || !existsSync(join(folder, "docs"))) return null;
  await serve(
    port,
    createDocsService(() => renderDocsSite(folder)),
  );
  return `${localOrigin(port)}/`;
}

const DEVICE_NAMES: Readonly<Record<DeviceName, string>> = { phone: "Phone", laptop: "Laptop" };

/** The settings of the app, as `examples/habits/README.md` describes them. */
async function createAppConfig(demo: PreparedDemo, pageOrigin: string) {
  const { configuration, catalog, sync, events, ports } = demo;
  const read = await readCatalog(catalog.folder, catalog.now());
  if (read.kind === "invalid") throw new Error("The demo's catalogue is invalid");
  // The browser keeps the data of an origin when the demo ends, and the next demo has another server.
  const storageName = `habits-${randomUUID()}`;
  return (name: DeviceName) => ({
    storageName,
    deviceName: DEVICE_NAMES[name],
    sync: { baseUrl: sync.baseUrl },
    events: {
      clientId: DEMO_CLIENT_ID,
      service: {
        // The events client accepts only services on the internet.
        origin: "https://planner.example.com",
        name: configuration.events.serviceName,
        developmentAddress: events.baseUrl,
      },
    },
    release: {
      baseUrl: localOrigin(ports.mirror),
      product: DEMO_PRODUCT,
      keys: trustedKeys(read.catalog),
      platform: "linux",
      architecture: "x64",
      current: NEWEST_STABLE,
    },
    parentOrigin: pageOrigin,
  });
}
