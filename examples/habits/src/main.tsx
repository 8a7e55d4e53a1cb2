/** Starts the app: reads its settings, opens its data, and shows it. */
import { render } from "preact";
import type { SyncClient } from "trellis/client";
import { describeSignInError, isSignedOut, type Services } from "./app-context.ts";
import { watchSync } from "./activity.ts";
import { fetchConfig } from "./config.ts";
import { connectFrame, type Frame, type LogEntry, type Tell } from "./frame.ts";
import { createAppEncryption, openServerKind } from "./encryption.ts";
import { openHabits } from "./habit.ts";
import { createLocalValue } from "./local-value.ts";
import { createNetwork, type Network } from "./network.ts";
import { createPlanner } from "./planner.ts";
import { openPreferences } from "./preferences.ts";
import { KEY, leaveTo, SETTINGS, TODAY } from "./route.ts";
import { TEXTS, type Texts } from "./texts.ts";
import { openSync, openUpdates } from "./trellis.ts";
import { createUpdates } from "./updates.ts";
import { AppView } from "./views/app.tsx";
import { StartError, WindowDone } from "./views/start-pages.tsx";

const root = document.body;

async function start(): Promise<void> {
  const returned = takeReturn();
  const config = await fetchConfig();
  const {
    storageName,
    sync: { baseUrl },
    events,
    release,
  } = config;
  const preferences = openPreferences(storageName);
  const frame = connectFrame(config.parentOrigin);
  let opened: SyncClient | null = null;
  const network = createNetwork();
  const watch = {
    baseUrl,
    deviceId: () => opened?.deviceId ?? null,
    isKeyNeeded: () => opened?.status.kind === "key-needed",
    log: (entry: LogEntry) => frame.tell({ type: "log", ...entry }),
  };
  const syncFetch = frame.isConnected ? watchSync(network.fetch, watch) : network.fetch;
  const serverKind = await openServerKind(config, network.fetch);
  const { sync, keys } = await openSync(config, serverKind.isSealed, syncFetch);
  opened = sync;
  const data = openHabits(sync);
  // The client notices a lost connection at its next request; this is one.
  addEventListener("offline", () => void sync.sync());
  tellStatus(sync, frame.tell);
  const planner =
    events === null
      ? null
      : createPlanner({
          config: events,
          storageName,
          sync,
          data,
          fetch: network.fetch,
          onImport: (count) => frame.tell({ type: "log", event: "imported", count }),
        });
  const updates =
    release === null
      ? null
      : createUpdates(
          openUpdates(release, storageName, network.fetch),
          release.current.version,
          (version) => frame.tell({ type: "log", event: "update-offered", version }),
        );
  // In a frame the pages of the services refuse to be shown, and get a window of their own.
  const ownWindow = createLocalValue<boolean>(`${storageName}/own-window`);
  const openPage = (url: string) => {
    // Of an earlier window, which may have been closed halfway.
    ownWindow.remove();
    if (window.parent === window) location.assign(url);
    else if (window.open(url, "_blank") !== null) ownWindow.write(true);
  };
  const encryption = keys === null ? null : createAppEncryption(sync, keys, storageName);
  const shown = { planner, updates, preferences, openPage };
  const services: Services = { sync, data, serverKind, encryption, ...shown };
  obeyFrame(frame, services, network);
  const texts = TEXTS[preferences.get().language];
  const problem = returned === null ? null : await completeReturn(services, returned, texts);
  if (returned !== null && ownWindow.read() === true) {
    ownWindow.remove();
    window.close();
    return render(<WindowDone texts={texts} problem={problem} />, root);
  }
  if (returned !== null && sync.status.kind === "key-needed") leaveTo(KEY);
  if (returned === null) void planner?.importNow();
  render(<AppView services={services} notice={problem} />, root);
}

/** The address at which a service has sent the browser back; null when the app was opened as usual. */
function takeReturn(): URL | null {
  const address = new URL(location.href);
  const view = new Map([
    ["/callback", TODAY],
    ["/connected", SETTINGS],
  ]).get(address.pathname);
  if (view === undefined) return null;
  // The one-time code must not stay in the address.
  history.replaceState(null, "", `/${view}`);
  return address;
}

/** Returns what to tell the person, or null when all is well. */
async function completeReturn(
  { sync, planner }: Services,
  { pathname, href }: URL,
  texts: Texts,
): Promise<string | null> {
  if (pathname === "/callback") {
    const result = await sync.completeSignIn(href);
    return result.kind === "signed-in" ? null : describeSignInError(result.error, texts);
  }
  await planner?.completeConnect(href);
  return null;
}

/** A page that shows the app in a frame has a person's pages opened in its own way. */
function obeyFrame(frame: Frame, services: Services, { setOnline }: Network): void {
  const { sync, serverKind, encryption, planner, updates, preferences } = services;
  const authorize = (url: string) => frame.tell({ type: "authorize", url });
  frame.obey({
    setOnline,
    setLanguage: (language) => preferences.set({ ...preferences.get(), language }),
    checkForUpdate: () => void updates?.check(),
    async signIn() {
      if (!isSignedOut(sync.status)) return;
      if (await serverKind.startsAnew()) return;
      const begun = await sync.beginSignIn();
      if (begun.kind === "begun") authorize(begun.url);
    },
    connectPlanner() {
      if (planner?.view.get().name === null) void planner.connect("", authorize);
    },
    useKey: (recoveryKey) => void encryption?.keys.useKey(recoveryKey),
    importTasks: () => void planner?.importNow(),
    completeReturn: (url) =>
      void completeReturn(services, new URL(url), TEXTS[preferences.get().language]),
  });
}

function tellStatus(sync: SyncClient, tell: Tell): void {
  let last = sync.status;
  const update = () => {
    const { status } = sync;
    const { kind } = status;
    tell({ type: "status", status });
    if (kind === last.kind || kind === "syncing") return;
    if (isSignedOut(last) && !isSignedOut(status)) tell({ type: "log", event: "signed-in" });
    if (kind === "offline") tell({ type: "log", event: "offline" });
    if (last.kind === "offline" && kind === "up-to-date") tell({ type: "log", event: "online" });
    last = status;
  };
  sync.subscribe(update);
  update();
}

// Without it, or in a browser that refuses it, the app works while there is a connection.
void navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

start().catch((error: unknown) => {
  const language = navigator.language.startsWith("de") ? "de" : "en";
  render(<StartError texts={TEXTS[language]} error={error} />, root);
});
