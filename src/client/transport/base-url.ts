import { isHttpsOrLoopback } from "../../contract/loopback.ts";

/** The address of a service without a trailing slash; `createError` makes the error of a wrong one. */
export function readBaseUrl(
  text: string,
  createError: (name: string, detail: string) => Error,
): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isHttpsOrLoopback(url)) {
    throw createError("baseUrl", "must be an https address, or http on this machine");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw createError("baseUrl", "must have no query, fragment or user");
  }
  return url.href.replace(/\/+$/, "");
}
