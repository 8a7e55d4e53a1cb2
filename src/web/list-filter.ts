/** A field that narrows a long list to what a person looks for. Without a script there is none. */
import type { Language } from "../contract/language.ts";
import { html, type Html } from "./html.ts";

/** `list` is the id of the element whose items are searched. */
export function listFilter(list: string, language: Language): Html {
  const { label, found } = TEXTS[language];
  const id = `${list}-filter`;
  return html`<div class="field list-filter" data-list="${list}" data-found="${found}" hidden>
    <label for="${id}">${label}</label>
    <input id="${id}" type="search" autocomplete="off" spellcheck="false" />
    <p class="hint note" role="status"></p>
  </div>`;
}

export function startListFilters(): void {
  for (const field of document.querySelectorAll<HTMLElement>(".list-filter")) startFilter(field);
}

function startFilter(field: HTMLElement): void {
  const list = document.getElementById(field.dataset["list"] ?? "");
  const input = field.querySelector("input");
  const status = field.querySelector("p");
  if (list === null || input === null || status === null) return;
  const items = [...list.querySelectorAll<HTMLElement>("ul > li.line, ul > li.entry")];
  const texts = items.map(readText);
  const rest = list.querySelector<HTMLDetailsElement>("details.more");
  let [isSearching, wasOpen] = [false, false];
  field.hidden = false;
  input.addEventListener("input", () => {
    const sought = input.value.trim().toLowerCase();
    items.forEach((item, index) => (item.hidden = texts[index]?.includes(sought) === false));
    if (!isSearching) wasOpen = rest?.open === true;
    isSearching = sought !== "";
    if (rest !== null) rest.open = isSearching || wasOpen;
    const shown = items.filter(({ hidden }) => !hidden).length;
    const found = (field.dataset["found"] ?? "")
      .replace("{shown}", String(shown))
      .replace("{all}", String(items.length));
    status.textContent = sought === "" ? "" : found;
  });
}

/** What a person knows of an item: not its buttons and questions, nor the names of its facts, which all items have. */
function readText(item: HTMLElement): string {
  const copy = item.cloneNode(true) as HTMLElement;
  const ids = [...copy.querySelectorAll("code")].map(({ textContent }) => textContent);
  for (const part of copy.querySelectorAll(".actions, form, summary, button, dt")) part.remove();
  return [copy.textContent, ...ids].join(" ").toLowerCase();
}

/** Both numbers are put in by the script. */
const TEXTS = {
  en: { label: "Find in this list", found: "{shown} of {all}" },
  de: { label: "In dieser Liste suchen", found: "{shown} von {all}" },
};
