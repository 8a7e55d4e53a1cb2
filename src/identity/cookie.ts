/** Cookies that only this host can set and no script can read. */
import { isSecret } from "./one-time-secrets.ts";

/** The part of a request that has its headers, by lower-case names. */
export interface RequestHeaders {
  header(name: string): string | null;
}

export interface CookieSettings {
  readonly name: string;
  readonly isHttps: boolean;
  readonly sameSite: "Strict" | "Lax";
  /** By default a value is one secret. */
  readonly isValue?: (text: string) => boolean;
}

/** RFC 6265bis 4.1.3.2: only this host, and only over TLS, can set a cookie with the `__Host-` prefix. */
export function createCookie({
  name: plain,
  isHttps,
  sameSite,
  isValue = isSecret,
}: CookieSettings) {
  const name = `${isHttps ? "__Host-" : ""}${plain}`;
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isHttps ? "; Secure" : ""}`;
  return {
    /** Null when it is absent, malformed or repeated: then another site may have set one. */
    read(request: RequestHeaders): string | null {
      // Splits where browsers do. A comma, or a space beyond ASCII, may be part of another cookie.
      const found = (request.header("cookie") ?? "")
        .split(";")
        .map((pair) => pair.replace(/^[ \t]+/, ""))
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      const [value = ""] = found;
      return found.length === 1 && isValue(value) ? value : null;
    },
    /** Without `Max-Age` the cookie ends with the browser. */
    write: (value: string, maxAge = "") => `${name}=${value}; ${maxAge}${attributes}`,
  };
}
