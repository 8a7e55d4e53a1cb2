/** The server between the devices: its store, its log and the buttons. */
import type { Language } from "../../../src/contract/language.ts";
import { findElement } from "../../../src/web/page-script.ts";
import { ControlError, type CallDemo, type ControlResults } from "./call-demo.ts";
import type { StartedDevice } from "./device.ts";
import { LOG_TEXTS, type LogTexts } from "./log-texts.ts";
import { createLogView, type LogView } from "./log-view.ts";
import { createStoredView } from "./stored-view.ts";

const REFRESH_MS = 150;
const GENERATION_CHARACTERS = 8;

export function createServerView(language: Language, backupCreatedAt: string, callDemo: CallDemo) {
  const texts = LOG_TEXTS[language];
  const log = createLogView("server-log");
  const backup = new Intl.DateTimeFormat(language, {
    weekday: "long",
    hour: "numeric",
    minute: "2-digit",
  }).format(new Date(backupCreatedAt));
  /** How many entities there were before the restore; null when all are there. */
  let lost: number | null = null;
  const refresh = createRefresh(callDemo, (store) => {
    if (lost === null || store.entities < lost) return;
    log.add(texts.healed(store.entities));
    lost = null;
  });

  async function restore(): Promise<string> {
    const { replaced, restored } = await callDemo("restore");
    // What an earlier restore took may not be back yet.
    lost = Math.max(lost ?? 0, replaced);
    return texts.restored(backup, restored, replaced);
  }

  async function publish(devices: readonly StartedDevice[]): Promise<string> {
    const { version, sequence, keyId } = await callDemo("publish");
    for (const device of devices) device.send({ type: "check-for-update" });
    return texts.published(version, sequence, keyId);
  }

  async function setHomework(devices: readonly StartedDevice[]): Promise<string> {
    const { title } = await callDemo("homework", { language });
    const device = devices.find(({ isOnline }) => isOnline());
    // A device that is not connected to the planner yet imports when it is.
    device?.send({ type: "connect" });
    device?.send({ type: "import" });
    return texts.homeworkSet(title);
  }

  return {
    refresh,
    start(devices: readonly StartedDevice[]): void {
      const bind = createButtons(log, texts, refresh);
      bind("restore", texts.restoring, restore);
      bind("publish", texts.publishing, () => publish(devices));
      bind("homework", texts.settingHomework, () => setHomework(devices));
      log.add(texts.running(backup));
      refresh();
    },
  };
}

/** Returns a function that shows the store as it is now; calls in one moment share a request. */
function createRefresh(callDemo: CallDemo, onShown: (store: ControlResults["store"]) => void) {
  const entities = findElement(HTMLElement, "entities");
  const operations = findElement(HTMLElement, "operations");
  const generation = findElement(HTMLElement, "generation");
  const showStored = createStoredView();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(store: ControlResults["store"]): void {
    entities.textContent = String(store.entities);
    operations.textContent = String(store.operations);
    generation.textContent = store.generation.slice(0, GENERATION_CHARACTERS);
    showStored(store.newest);
    onShown(store);
  }

  return (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // While the server restarts there is nothing to show; the devices call again when it is back.
      callDemo("store").then(show, () => {});
    }, REFRESH_MS);
  };
}

/** Returns a function that gives a button its work; one work runs at a time. */
function createButtons(log: LogView, texts: LogTexts, onDone: () => void) {
  const buttons: HTMLButtonElement[] = [];
  let isBusy = false;

  function setBusy(busy: boolean): void {
    isBusy = busy;
    // The buttons are not `disabled`, because the focus would be lost.
    for (const button of buttons) {
      if (busy) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
  }

  async function run(announcement: string, work: () => Promise<string>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    log.add(announcement);
    try {
      log.add(await work());
    } catch (error) {
      log.addFailure(texts.failed(explain(error, texts)));
    }
    setBusy(false);
    onDone();
  }

  return (id: string, announcement: string, work: () => Promise<string>): void => {
    const button = findElement(HTMLButtonElement, id);
    button.addEventListener("click", () => void run(announcement, work));
    buttons.push(button);
  };
}

function explain(error: unknown, texts: LogTexts): string {
  if (!(error instanceof ControlError)) return texts.unreachable;
  return error.status === 403 ? texts.outdated : error.message;
}
