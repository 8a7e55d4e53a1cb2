/** Starts the app: reads its settings, opens its data, and shows it; what can wait is loaded afterwards. */
import { render, type ComponentChild } from "preact";
import { toLocalDate, type SyncClient } from "trellis/client";
import { describeSignInError, isSignedOut, type Services } from "./app-context.ts";
import { createConnectionLog, watchSync, type ConnectionLog } from "./activity.ts";
import type { BackgroundOptions } from "./background.ts";
import { fetchConfig } from "./config.ts";
import { connectFrame, type Frame, type LogEntry, type Tell } from "./frame.ts";
import { createAppEncryption, openServerKind } from "./encryption.ts";
import { findHabit, openHabits } from "./habit.ts";
import { createLocalValue } from "./local-value.ts";
import { createNetwork, type Network } from "./network.ts";
import { createObservable } from "./observable.ts";
import { openPreferences } from "./preferences.ts";
import { dailyTarget, isDoneOn } from "./progress.ts";
import { KEY, leaveTo, SETTINGS, TODAY } from "./route.ts";
import { TEXTS, type Texts } from "./texts.ts";
import { editHabit, openSync, setCount } from "./trellis.ts";
import { AppView, loadOtherView } from "./views/app.tsx";
import { StartError, WindowDone } from "./views/start-pages.tsx";

const root = document.body;
const isFramed = window.parent !== window;

async function start(): Promise<void> {
  const returned = takeReturn();
  const config = await fetchConfig();
  const {
    storageName,
    sync: { baseUrl },
  } = config;
  const preferences = openPreferences(storageName);
  const frame = connectFrame(config.parentOrigin);
  let opened: SyncClient | null = null;
  const network = createNetwork();
  const log = (entry: LogEntry) => frame.tell({ type: "log", ...entry });
  const connection = createConnectionLog(log);
  const watch = {
    baseUrl,
    deviceId: () => opened?.deviceId ?? null,
    isKeyNeeded: () => opened?.status.kind === "key-needed",
    onResponse: connection.found,
    log,
  };
  const syncFetch = frame.isConnected ? watchSync(network.fetch, watch) : network.fetch;
  const serverKind = await openServerKind(config, network.fetch, isFramed);
  const { sync, keys } = await openSync(config, serverKind.isSealed, syncFetch);
  opened = sync;
  const data = openHabits(sync);
  // The client notices a lost connection at its next request; this is one.
  addEventListener("offline", () => void sync.sync());
  tellStatus(sync, frame.tell, connection);
  // In a frame the pages of the services refuse to be shown, and get a window of their own.
  const ownWindow = createLocalValue<boolean>(`${storageName}/own-window`);
  const openPage = (url: string) => {
    // Of an earlier window, which may have been closed halfway.
    ownWindow.remove();
    if (!isFramed) location.assign(url);
    else if (window.open(url, "_blank") !== null) ownWindow.write(true);
  };
  const encryption = keys === null ? null : createAppEncryption(keys, storageName);
  const opensOffline = createObservable(true);
  const first = { sync, data, serverKind, encryption, preferences, opensOffline, openPage };
  const show = (services: Services, notice: string | null) =>
    render(<AppView services={services} notice={notice} />, root);
  if (returned === null) show({ ...first, planner: null, updates: null }, null);

  const background = await openBackground({ config, sync, data, fetch: network.fetch, log });
  const services: Services = { ...first, ...background };
  obeyFrame(frame, services, network);
  const texts = TEXTS[preferences.get().language];
  const problem = returned === null ? null : await completeReturn(services, returned, texts);
  if (returned !== null && ownWindow.read() === true) {
    ownWindow.remove();
    window.close();
    return replacePage(<WindowDone texts={texts} problem={problem} />);
  }
  if (returned !== null && sync.status.kind === "key-needed") leaveTo(KEY);
  if (returned === null) void services.planner?.importNow();
  show(services, problem);
  await loadOtherView();
  opensOffline.set(await keepFiles());
}

/** What Preact did not create, such as the outline of the list, would stay below. */
function replacePage(page: ComponentChild): void {
  render(null, root);
  root.replaceChildren();
  render(page, root);
}

/** Comes last: the browser has the files by now. Some browsers deny even the name of the service worker. */
async function keepFiles(): Promise<boolean> {
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    return true;
  } catch {
    return false;
  }
}

/** Without a connection there may be neither; the habits are there all the same. */
async function openBackground(options: BackgroundOptions) {
  try {
    const { startBackground } = await import("./background.ts");
    return startBackground(options);
  } catch {
    return { planner: null, updates: null };
  }
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
  const { sync, data, serverKind, encryption, planner, updates, preferences } = services;
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
    tick(habitId) {
      const habit = findHabit(data, habitId);
      if (habit === null) return;
      const today = toLocalDate(Date.now());
      void setCount(data, habit, today, isDoneOn(data, habit, today) ? 0 : dailyTarget(habit));
    },
    edit(habitId, { changes, whenNamed }) {
      const habit = findHabit(data, habitId);
      if (habit === null || whenNamed?.includes(habit.name) === false) return;
      void editHabit(data, habit, changes);
    },
    completeReturn: (url) =>
      void completeReturn(services, new URL(url), TEXTS[preferences.get().language]),
  });
}

function tellStatus(sync: SyncClient, tell: Tell, connection: ConnectionLog): void {
  let wasSignedOut = isSignedOut(sync.status);
  const update = () => {
    const { status } = sync;
    tell({ type: "status", status: { ...status, entities: sync.entities.list().length } });
    if (wasSignedOut && !isSignedOut(status)) tell({ type: "log", event: "signed-in" });
    wasSignedOut = isSignedOut(status);
    if (status.kind === "offline") connection.lost();
  };
  sync.subscribe(update);
  update();
}

start().catch((error: unknown) => {
  const language = navigator.language.startsWith("de") ? "de" : "en";
  document.documentElement.lang = language;
  replacePage(<StartError texts={TEXTS[language]} error={error} />);
});
