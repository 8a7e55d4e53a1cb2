/** The dialog of the search: it opens at once and loads what it searches then. */
import type { createSearch, SearchResult } from "../search/create-search.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { createElement } from "../../src/web/create-element.ts";
import { findElement } from "../../src/web/page-script.ts";

declare global {
  interface Window {
    /** Set by `search.ts`; the files of the index add to it, because a page that was opened as a file cannot fetch. */
    trellisDocs?: {
      readonly createSearch: typeof createSearch;
      readonly indexes: SearchIndex[];
    };
  }
}

type Search = ReturnType<typeof createSearch>;

export function enableSearch(): void {
  const button = findElement(HTMLButtonElement, "search-button");
  const dialog = findElement(HTMLDialogElement, "search");
  const input = findElement(HTMLInputElement, "search-input");
  let find: Search | undefined;
  let loading: Promise<void> | undefined;
  const show = () => {
    if (find !== undefined) showResults(dialog, button, input.value.trim(), find);
  };
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    loading ??= loadSearch(button).then(
      (loaded) => {
        find = loaded;
        show();
      },
      () => {
        loading = undefined;
        writeStatus(dialog, "failed", 0);
      },
    );
  };
  button.hidden = false;
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key === "k";
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea");
    if (!isShortcut && (event.key !== "/" || isTyping)) return;
    event.preventDefault();
    open();
  });
  input.addEventListener("input", show);
  dialog.addEventListener("keydown", (event) => moveFocus(event, dialog, input));
  // A click beside the dialog is one on its backdrop.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest("a"))) dialog.close();
  });
}

async function loadSearch({ dataset }: HTMLButtonElement): Promise<Search> {
  await Promise.all((dataset["scripts"] ?? "").split(" ").map(loadScript));
  const loaded = window.trellisDocs;
  if (loaded === undefined) throw new Error("The search did not load");
  return loaded.createSearch(loaded.indexes);
}

function loadScript(url: string): Promise<unknown> {
  const script = document.createElement("script");
  script.src = url;
  // They load beside each other and run in this order.
  script.async = false;
  return new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
}

function showResults(
  dialog: HTMLDialogElement,
  { dataset }: HTMLButtonElement,
  query: string,
  find: Search,
): void {
  const results = find(query);
  const list = findElement(HTMLOListElement, "search-results");
  list.replaceChildren(...results.map((result) => resultItem(result, dataset["root"] ?? "")));
  writeStatus(dialog, query === "" ? "empty" : "results", results.length);
}

function writeStatus(dialog: HTMLDialogElement, state: string, count: number): void {
  const name = state === "results" && count === 0 ? "none" : state;
  const text = dialog.dataset[name] ?? "";
  findElement(HTMLParagraphElement, "search-status").textContent = text.replace("#", `${count}`);
}

function resultItem({ page, anchor, heading, excerpt }: SearchResult, root: string): HTMLLIElement {
  const href = `${root}${page.path}${anchor === "" ? "" : `#${anchor}`}`;
  const place = anchor === "" ? page.group : `${page.group} › ${page.title}`;
  const parts = excerpt.map(({ text, isMatch }) =>
    isMatch ? createElement("mark", {}, text) : text,
  );
  const words = [
    createElement("strong", {}, heading),
    createElement("span", {}, place),
    createElement("span", { class: "excerpt" }, ...parts),
  ];
  return createElement("li", {}, createElement("a", { href, lang: page.lang }, ...words));
}

/** Arrows go through the results, and Enter in the field opens the first one. */
function moveFocus(event: KeyboardEvent, dialog: HTMLDialogElement, input: HTMLElement): void {
  const links = [...dialog.querySelectorAll<HTMLAnchorElement>("#search-results a")];
  const focused = links.findIndex((link) => link === document.activeElement);
  if (event.key === "Enter" && event.target === input) links[0]?.click();
  // Otherwise it would only empty the field.
  else if (event.key === "Escape") dialog.close();
  else if (event.key === "ArrowDown") links[Math.min(focused + 1, links.length - 1)]?.focus();
  else if (event.key === "ArrowUp") (links[focused - 1] ?? input).focus();
  else return;
  if (event.key !== "Enter" || event.target === input) event.preventDefault();
}
