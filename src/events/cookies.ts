/**
 * The two cookies of the service. One names a signed-in session; the other names the browser, and is
 * what a sign-in or a consent that was begun is bound to. An answer never sets both.
 */
import type { RawRequest } from "../http/request-context.ts";

export type CookieName = "session" | "browser";

type Headers = Readonly<Record<string, string>>;

export interface Cookies {
  /** Null when it is absent, malformed, or there twice: then one was planted. */
  read(source: Pick<RawRequest, "header">, name: CookieName): string | null;
  /** The header that sets it; without a lifetime it ends with the browser. */
  set(name: CookieName, value: string, lifetimeSeconds?: number): Headers;
  clear(name: CookieName): Headers;
}

const NAMES: Readonly<Record<CookieName, string>> = {
  session: "trellis-events-session",
  browser: "trellis-events-browser",
};

/** Base64URL of 32 bytes. */
const VALUE = /^[A-Za-z0-9_-]{43}$/;

/** With `__Host-` no other host, and no page without TLS, can have set it (RFC 6265bis 4.1.3.2). */
export function createCookies(isHttps: boolean): Cookies {
  const nameOf = (name: CookieName) => `${isHttps ? "__Host-" : ""}${NAMES[name]}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
  const write = (name: CookieName, value: string, maxAge: string): Headers => ({
    "Set-Cookie": `${nameOf(name)}=${value}; ${maxAge}${attributes}`,
  });

  return {
    read(source, name) {
      const start = `${nameOf(name)}=`;
      // Where browsers see one cookie end and the next begin, and nowhere else: a comma, or a blank
      // beyond ASCII, belongs to a cookie whose name may have no prefix.
      const found = (source.header("cookie") ?? "")
        .split(";")
        .map((pair) => pair.replace(/^[ \t]+/, ""))
        .filter((pair) => pair.startsWith(start))
        .map((pair) => pair.slice(start.length));
      const [value = ""] = found;
      return found.length === 1 && VALUE.test(value) ? value : null;
    },
    set: (name, value, lifetimeSeconds) =>
      write(name, value, lifetimeSeconds === undefined ? "" : `Max-Age=${lifetimeSeconds}; `),
    clear: (name) => write(name, "", "Max-Age=0; "),
  };
}
