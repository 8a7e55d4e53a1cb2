/** Options that several clients have. `createError` makes the error of the one that is wrong. */
import { isHttpsOrLoopback } from "../../contract/loopback.ts";
import type { Fetch } from "./request-text.ts";

type CreateError = (name: string, detail: string) => Error;

/** The address of a service, without a trailing slash. */
export function readBaseUrl(text: string, createError: CreateError): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isHttpsOrLoopback(url)) {
    throw createError("baseUrl", "must be an https address, or http on this machine");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw createError("baseUrl", "must have no query, fragment or user");
  }
  return url.href.replace(/^(.*[^/])\/+$/, "$1");
}

export function checkRedirectUri(text: string, createError: CreateError): void {
  if (!URL.canParse(text) || text.includes("#")) {
    throw createError("redirectUri", "must be a whole address without a fragment");
  }
}

/** A longer timer would fire at once. */
const MAX_LIMIT = 2_147_483_647;

export function readLimits<T extends object>(
  defaults: T,
  given: Partial<T> | undefined,
  createError: CreateError,
): T {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > MAX_LIMIT) {
      throw createError(`limits.${name}`, `is not an integer from 1 to ${MAX_LIMIT}`);
    }
  }
  return limits;
}

/** Browsers throw when `fetch` is called as a method of another object. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);
