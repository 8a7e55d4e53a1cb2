/** Shows one device: the app in its frame, the switch of its network, its status and its log. */
import { isObject } from "../../../src/contract/is-object.ts";
import type { Language } from "../../../src/contract/language.ts";
import { findElement } from "../../../src/web/page-script.ts";
import type { CallDemo, DemoDevice } from "./call-demo.ts";
import { LOG_TEXTS, type LogTexts } from "./log-texts.ts";
import { createLogView } from "./log-view.ts";

export type StartedDevice = ReturnType<typeof startDevice>;

export interface DeviceOptions {
  readonly device: DemoDevice;
  readonly recoveryKey: string;
  readonly language: Language;
  readonly callDemo: CallDemo;
  /** Called after everything that may have changed the server. */
  readonly onActivity: () => void;
}

/** So many characters of a cursor are enough to see that it moves. */
const CURSOR_CHARACTERS = 10;

export function startDevice(options: DeviceOptions) {
  const { device, recoveryKey, language, callDemo, onActivity } = options;
  const { name, origin } = device;
  const texts = LOG_TEXTS[language];
  const frame = findElement(HTMLIFrameElement, `${name}-frame`);
  const network = findElement(HTMLButtonElement, `${name}-network`);
  const status = findElement(HTMLElement, `${name}-status`);
  const log = createLogView(`${name}-log`);
  const isOnline = () => network.getAttribute("aria-checked") === "true";
  const send = (message: object) => frame.contentWindow?.postMessage(message, origin);
  const sendNetwork = () => send({ type: "network", isOnline: isOnline() });

  let isKeySent = false;

  /** The app has begun to listen, for the first time or after it was reloaded. */
  function onReady(): void {
    send({ type: "language", language });
    sendNetwork();
    isKeySent = false;
    send({ type: "sign-in" });
  }

  function onStatus(message: Message): void {
    // Once: the person may have made another key since.
    if (message["kind"] === "key-needed" && !isKeySent) {
      isKeySent = true;
      send({ type: "use-key", recoveryKey });
    }
    status.textContent = describeStatus(message, texts);
    if (message["kind"] === "up-to-date") onActivity();
  }

  function onLog(message: Message): void {
    const line = describeEvent(message, texts);
    if (line === null) return;
    log.add(...line);
    onActivity();
  }

  /** The pages on which a person would agree refuse to be framed, so the demo does it. */
  async function authorize(url: unknown): Promise<void> {
    try {
      const callback = await callDemo("authorize", { url });
      send({ type: "callback", url: callback.url });
    } catch {
      log.addFailure(texts.authorizeFailed);
    }
  }

  addEventListener("message", ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== frame.contentWindow || !isObject(data)) return;
    if (data["type"] === "ready") onReady();
    if (data["type"] === "status" && isObject(data["status"])) onStatus(data["status"]);
    if (data["type"] === "log") onLog(data);
    if (data["type"] === "authorize") void authorize(data["url"]);
  });
  network.addEventListener("click", () => {
    network.setAttribute("aria-checked", String(!isOnline()));
    sendNetwork();
  });
  // The frame is loaded last, so that the first message of the app is heard.
  frame.src = `${origin}/`;
  return { isOnline, send };
}

type Message = Readonly<Record<string, unknown>>;

function describeStatus({ kind, pending }: Message, texts: LogTexts): string {
  const words = texts.status[kind as keyof typeof texts.status] ?? "";
  return words + (Number(pending) > 0 ? `, ${texts.pending(Number(pending))}` : "");
}

/** The words of the log and the end of the cursor; null for an event that it does not show. */
function describeEvent(message: Message, texts: LogTexts): [string, string] | null {
  const { event, count, version, cursor } = message;
  const describe = texts.events[event as keyof typeof texts.events];
  if (describe === undefined) return null;
  const end = typeof cursor === "string" ? cursor.slice(-CURSOR_CHARACTERS) : "";
  const words = describe(Number(count ?? 0), typeof version === "string" ? version : "");
  return [words, end && texts.cursor(end)];
}
