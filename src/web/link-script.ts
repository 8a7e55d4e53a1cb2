/** What the scripts of the pages that a link opens share. */
import { KNOWN_BROWSER_HEADER } from "../contract/identity.ts";
import { postJson, type PostResponse, type RequestError } from "./login/post.ts";
import {
  readKnownBrowser,
  writeKnownBrowser,
  type KnownBrowserPlace,
} from "./login/proof-requests.ts";
import { findElement } from "./page-script.ts";

export interface LinkPageData {
  readonly endpoint: string;
  readonly knownBrowserPlace: KnownBrowserPlace;
}

/**
 * The secret of the address, which comes along to the page in the other language; empty without one. Another link
 * that is opened in the same tab changes nothing but the fragment, so it needs a reload.
 */
export function readLink(): string {
  addEventListener("hashchange", () => location.reload());
  const link = location.hash.slice(1);
  for (const other of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
    other.hash = link;
  }
  return link;
}

/** Sends what the link is used for, with the value by which the service knows this browser. */
export async function postLink(
  { endpoint, knownBrowserPlace }: LinkPageData,
  body: object,
): Promise<PostResponse | RequestError> {
  const isInStorage = knownBrowserPlace === "storage";
  const known = isInStorage ? readKnownBrowser() : null;
  const headers = known === null ? {} : { [KNOWN_BROWSER_HEADER]: known };
  const response = await postJson(endpoint, body, { credentials: "same-origin", headers });
  const given = response.kind === "json" ? response.header(KNOWN_BROWSER_HEADER) : null;
  if (isInStorage && given !== null) writeKnownBrowser(given);
  return response;
}

/** The link is used up or never was one, so it leaves the history of the browser. */
export function showResult(id: string): void {
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  findElement(HTMLElement, "ask").hidden = true;
  findElement(HTMLElement, id).hidden = false;
  findElement(HTMLElement, `${id}-title`).focus();
}
