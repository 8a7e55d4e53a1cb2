/** Firefox as it is installed, by WebDriver BiDi: https://w3c.github.io/webdriver-bidi/ */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDrivenPage, type DrivenPage, type Driver } from "./driven-page.ts";
import { canRun, startProgram } from "./start-program.ts";

type Send = (method: string, params: object) => Promise<Result>;

/** The parts of all results that are read here. */
interface Result {
  readonly contexts: readonly { readonly context: string }[];
  readonly data: string;
  readonly type: string;
  readonly result: {
    readonly type: string;
    readonly value: string & { readonly context: string };
    readonly sharedId: string;
  };
  readonly exceptionDetails: { readonly text: string };
}

const FIREFOX = "firefox-esr";

const PREFERENCES = {
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.disabledForTesting": true,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "intl.accept_languages": "en-GB",
  // What moves is walked in Chromium, and takes an eighth of the CPU time here.
  "ui.prefersReducedMotion": 1,
};

export function hasFirefox(): boolean {
  return canRun(FIREFOX);
}

export async function driveFirefox(): Promise<DrivenPage> {
  const profile = await mkdtemp(join(tmpdir(), "trellis-firefox-"));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await writeFile(join(profile, "user.js"), lines.join(""));
  const firefox = await startProgram(
    FIREFOX,
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"],
    { ready: /WebDriver BiDi listening on (ws:\S+)/ },
  );
  const close = async () => {
    await firefox.stop();
    await rm(profile, { recursive: true, force: true });
  };
  try {
    const problems: string[] = [];
    const send = await connect(new WebSocket(`${firefox.found}/session`), problems);
    await send("session.new", { capabilities: {} });
    await send("session.subscribe", { events: ["log.entryAdded"] });
    const [top] = (await send("browsingContext.getTree", {})).contexts;
    const commands = createCommands(send, top?.context ?? "");
    return createDrivenPage({ ...commands, problems: () => problems, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function connect(socket: WebSocket, problems: string[]): Promise<Send> {
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  socket.addEventListener("message", ({ data }) => {
    const { id, type, method, params, result, message } = JSON.parse(String(data));
    if (method === "log.entryAdded" && /error|warn/.test(params.level)) problems.push(params.text);
    if (type === "error") waiting.get(id)?.reject(new Error(message));
    else waiting.get(id)?.resolve(result);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("The browser has ended"));
  });
  const opened = Promise.withResolvers<unknown>();
  socket.addEventListener("open", opened.resolve);
  socket.addEventListener("error", opened.reject);
  await opened.promise;
  return (method, params) => {
    const id = ++lastId;
    const response = Promise.withResolvers<Result>();
    waiting.set(id, response);
    socket.send(JSON.stringify({ id, method, params }));
    return response.promise;
  };
}

function createCommands(send: Send, top: string): Omit<Driver, "close" | "problems"> {
  async function evaluateIn(context: string, expression: string): Promise<Result["result"]> {
    const options = { expression, target: { context }, awaitPromise: true };
    const { type, result, exceptionDetails } = await send("script.evaluate", options);
    if (type === "exception") throw new Error(exceptionDetails.text);
    return result;
  }
  async function contextOf(frame: string | null): Promise<string> {
    if (frame === null) return top;
    const window = `document.querySelector(${JSON.stringify(frame)}).contentWindow`;
    return (await evaluateIn(top, window)).value.context;
  }
  return {
    goto: async (url) =>
      void (await send("browsingContext.navigate", { context: top, url, wait: "complete" })),
    evaluate: async (script, frame) => (await evaluateIn(await contextOf(frame), script)).value,
    async click(script, frame) {
      const context = await contextOf(frame);
      const { value } = await evaluateIn(context, `(${String(settle)})(${script})`);
      if (value !== "hit") throw new Error("It moves, or something is in front of it");
      const { sharedId } = await evaluateIn(context, script);
      const origin = { type: "element", element: { sharedId } };
      const pointer = [
        { type: "pointerMove", x: 0, y: 0, origin },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      const actions = [{ type: "pointer", id: "mouse", actions: pointer }];
      await send("input.performActions", { context, actions });
    },
    async type(text) {
      const keys = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      const actions = [{ type: "key", id: "keyboard", actions: keys }];
      await send("input.performActions", { context: top, actions });
    },
    screenshot: async () =>
      Buffer.from(
        (await send("browsingContext.captureScreenshot", { context: top })).data,
        "base64",
      ),
  };
}

/** Runs in the page: BiDi clicks on a place, whatever is there by then. */
async function settle(element: Element): Promise<"hit" | "missed"> {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const before = element.getBoundingClientRect();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  return x === before.x && y === before.y && element.contains(hit) ? "hit" : "missed";
}
