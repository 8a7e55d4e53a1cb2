import type { Language } from "../../contract/language.ts";
import type { SiteStore } from "../../contract/release/site.ts";
import { html, type Html } from "../html.ts";
import { httpsHref } from "../safe-link.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

export function storeLinks(stores: readonly SiteStore[]): Html[] {
  return stores.flatMap(({ url, name }) => {
    const href = httpsHref(url);
    return href === null ? [] : [html`<a class="target" href="${href}">${name}</a>`];
  });
}

export function storeLine(stores: readonly SiteStore[], language: Language): Html | null {
  const links = storeLinks(stores);
  if (links.length === 0) return null;
  return html`<p class="row meta stores">
    <span>${DOWNLOAD_TEXTS[language].alsoIn}</span> ${links.map((link) => html`${link} `)}
  </p>`;
}
