/** WebKitGTK as it is installed, by WebDriver: https://w3c.github.io/webdriver/ */
import { globSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../fixtures/free-port.ts";
import { createDrivenPage, type DrivenPage, type Driver } from "./driven-page.ts";
import { canRun, startProgram } from "./start-program.ts";

/** Debian has the browser that belongs to the driver outside the PATH. */
const MINI_BROWSER = "/usr/lib/*/webkit2gtk-*/MiniBrowser";

/** Of a command; a page that loads included. */
const PATIENCE_MS = 30_000;

type Send = <T>(method: string, path: string, body?: object) => Promise<T>;

export function hasWebKit(): boolean {
  return globSync(MINI_BROWSER).length > 0 && canRun("WebKitWebDriver");
}

export function hasDisplay(): boolean {
  return canRun("Xvfb", "-help");
}

export async function driveWebKit(): Promise<DrivenPage> {
  // It has no mode without a window.
  const display = await startProgram(
    "Xvfb",
    ["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
    { ready: /^(\d+)$/ },
  );
  const port = await freePort();
  const program = await startProgram("WebKitWebDriver", ["-p", String(port)], {
    env: { DISPLAY: `:${display.found}` },
  });
  // The browser ends with its display, also when it no longer responds.
  const close = async () => {
    await program.stop();
    await display.stop();
  };
  try {
    const inSession = await startSession(`http://127.0.0.1:${port}`);
    return createDrivenPage({ ...createCommands(inSession), problems: () => [], close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function startSession(origin: string): Promise<Send> {
  while (!(await isReady(origin))) await delay(20);
  const [binary] = globSync(MINI_BROWSER);
  const options = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
  const capabilities = { alwaysMatch: options };
  const { sessionId } = await send<Session>(origin, "POST", "/session", { capabilities });
  const inSession: Send = (method, path, body) =>
    send(`${origin}/session/${sessionId}`, method, path, body);
  await inSession("POST", "/window/rect", { x: 0, y: 0, width: 1280, height: 900 });
  return inSession;
}

interface Session {
  readonly sessionId: string;
}

async function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/status`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function send<T>(origin: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${origin}${path}`, {
    method,
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: T & { readonly message?: string } };
  if (!response.ok) throw new Error(value.message ?? `Status ${response.status}`);
  return value;
}

function createCommands(send: Send): Omit<Driver, "close" | "problems"> {
  async function evaluateIn<T>(frame: string | null, expression: string): Promise<T> {
    await send("POST", "/frame", { id: null });
    if (frame !== null) {
      const using = "css selector";
      const id = await send("POST", "/element", { using, value: frame });
      await send("POST", "/frame", { id });
    }
    return send("POST", "/execute/sync", { script: `return ${expression}`, args: [] });
  }
  return {
    goto: (url) => send("POST", "/url", { url }),
    evaluate: (script, frame) => evaluateIn(frame, script),
    async click(script, frame) {
      // The one key is the one that WebDriver 12.1 has for elements.
      const [id] = Object.values(await evaluateIn<Record<string, string>>(frame, script));
      await send("POST", `/element/${id}/click`, {});
    },
    async type(text) {
      const keys = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await send("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions: keys }] });
    },
    screenshot: async () => {
      await send("POST", "/frame", { id: null });
      return Buffer.from(await send<string>("GET", "/screenshot"), "base64");
    },
  };
}
