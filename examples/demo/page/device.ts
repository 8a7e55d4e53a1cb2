/** Shows one device: the app in its frame, the switch of its network, its status; its events go to the timeline. */
import { isObject } from "../../../src/contract/is-object.ts";
import type { Language } from "../../../src/contract/language.ts";
import { findElement } from "../../../src/web/page-script.ts";
import type { CallDemo, DemoDevice } from "./call-demo.ts";
import { LOG_TEXTS, type LogTexts } from "./log-texts.ts";
import { SAMPLE_HABITS } from "./sample-habits.ts";
import { createSignals } from "./signals.ts";
import type { Timeline } from "./timeline.ts";

export type StartedDevice = ReturnType<typeof startDevice>;

export interface DeviceOptions {
  readonly device: DemoDevice;
  readonly recoveryKey: string;
  readonly language: Language;
  readonly callDemo: CallDemo;
  readonly timeline: Timeline;
  /** Called after everything that may have changed the server. */
  readonly onActivity: () => void;
}

const PATIENCE_MS = 15_000;

type Message = Readonly<Record<string, unknown>>;

export function startDevice(options: DeviceOptions) {
  const { device, recoveryKey, language, callDemo, timeline, onActivity } = options;
  const { name, origin } = device;
  const texts = LOG_TEXTS[language];
  const frame = findElement(HTMLIFrameElement, `${name}-frame`);
  const network = findElement(HTMLButtonElement, `${name}-network`);
  const state = findElement(HTMLElement, `${name}-status`);
  const signals = createSignals<Message>();
  const isOnline = () => network.getAttribute("aria-checked") === "true";
  const send = (message: object) => frame.contentWindow?.postMessage(message, origin);
  const { promise: shown, resolve: resolveShown } = Promise.withResolvers<void>();
  let status: Message = {};
  let isShown = false;
  let isReady = false;
  let isKeySent = false;
  let isTranslated = false;

  function setOnline(online: boolean): void {
    network.setAttribute("aria-checked", String(online));
    send({ type: "network", isOnline: online });
  }

  /** The app has begun to listen, for the first time or after it was reloaded. */
  function onReady(): void {
    isReady = true;
    send({ type: "language", language });
    setOnline(isOnline());
    isKeySent = false;
    send({ type: "sign-in" });
    onStatus(status);
  }

  function onStatus(next: Message): void {
    status = next;
    // Once: the person may have made another key since.
    if (status["kind"] === "key-needed" && !isKeySent) {
      isKeySent = true;
      send({ type: "use-key", recoveryKey });
    }
    if (isShown || Number(status["entities"]) > 0) show();
    if (status["kind"] === "up-to-date") onActivity();
    // An app that does not listen yet would miss it.
    if (isReady && status["kind"] === "up-to-date") translateSamples();
    signals.emit({ status });
  }

  /** Until it has its data, the app would greet a person who is new. */
  function show(): void {
    isShown = true;
    frame.dataset["ready"] = "";
    state.textContent = describeStatus(status, texts);
    resolveShown();
  }

  /** The sample data has the language of the system, and the person may read another one. */
  function translateSamples(): void {
    if (isTranslated || name !== "phone") return;
    isTranslated = true;
    for (const { id, names } of SAMPLE_HABITS) {
      const whenNamed = Object.values(names).filter((other) => other !== names[language]);
      send({ type: "edit", habitId: id, changes: { name: names[language] }, whenNamed });
    }
  }

  function onLog(message: Message): void {
    const words = describeEvent(message, texts);
    if (words !== null) timeline.add(name, words);
    onActivity();
    signals.emit(message);
  }

  /** The pages on which a person would agree refuse to be framed, so the demo does it. */
  async function authorize(url: unknown): Promise<void> {
    try {
      const callback = await callDemo("authorize", { url });
      send({ type: "callback", url: callback.url });
    } catch {
      timeline.addError(name, texts.authorizeFailed);
    }
  }

  addEventListener("message", ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== frame.contentWindow || !isObject(data)) return;
    if (data["type"] === "ready") onReady();
    if (data["type"] === "status" && isObject(data["status"])) onStatus(data["status"]);
    if (data["type"] === "log") onLog(data);
    if (data["type"] === "authorize") void authorize(data["url"]);
  });
  network.addEventListener("click", () => setOnline(!isOnline()));
  // The frame is loaded last, so that the first message of the app is heard.
  frame.src = `${origin}/`;
  // The app itself says why it has no data.
  setTimeout(show, PATIENCE_MS);
  return {
    untilShown: () => shown,
    isOnline,
    setOnline,
    send,
    /** The next event of the app's log with this name. */
    nextEvent: (event: string) => signals.next((message) => message["event"] === event),
    /** Resolves at once when the device listens, and has that status already. */
    async untilStatus(matches: (status: Message) => boolean): Promise<void> {
      const isSeen = () => isReady && matches(status);
      if (!isSeen()) await signals.next(isSeen);
    },
  };
}

function describeStatus({ kind, pending }: Message, texts: LogTexts): string {
  const words = texts.status[kind as keyof typeof texts.status] ?? "";
  const isWaiting = kind !== "syncing" && Number(pending) > 0;
  return words + (isWaiting ? `, ${texts.pending(Number(pending))}` : "");
}

/** Null for an event that the timeline does not show. */
function describeEvent(message: Message, texts: LogTexts): string | null {
  const { event, count, version, reason } = message;
  const describe = texts.events[event as keyof typeof texts.events];
  const detail = version ?? reason;
  return describe?.(Number(count ?? 0), typeof detail === "string" ? detail : "") ?? null;
}
