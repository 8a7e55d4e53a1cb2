/** Keeps cookies, follows no redirects, and reads the plain pages. */
import type { EventsPages } from "../../../src/events/pages.ts";
import type { PlainPage } from "./plain-pages.ts";

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export interface TestBrowser {
  /** By name. */
  readonly cookies: Map<string, string>;
  ask: Ask;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Expects this page at the path. */
  see<K extends keyof EventsPages>(page: K, path: string): Promise<PlainPage<K>>;
  submit(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  postJson(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export function createTestBrowser(send: Ask): TestBrowser {
  const cookies = new Map<string, string>();
  const ask: Ask = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) {
      headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const response = await send(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    ask,
    get: (path, headers = {}) => ask(path, { headers }),
    async see(page, path) {
      const response = await ask(path, { headers: { Accept: "text/html" } });
      return readPage(page, response);
    },
    submit: (path, fields, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "Sec-Fetch-Site": "same-origin", ...headers },
        body: new URLSearchParams(fields),
      }),
    postJson: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  };
}

export async function readPage<K extends keyof EventsPages>(
  page: K,
  response: Response,
): Promise<PlainPage<K>> {
  const text = await response.text();
  if (!(response.headers.get("content-type") ?? "").startsWith("text/html")) {
    throw new Error(`Expected the page ${page}, not ${response.status} ${text}`);
  }
  const shown = JSON.parse(text) as PlainPage<K>;
  if (shown.page !== page) throw new Error(`Expected the page ${page}, not ${text}`);
  return shown;
}
