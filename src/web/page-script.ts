/** What a page and its script share: data in an attribute, and elements by their ids. */

/** ASCII only: `html` drops control characters, which an address or a state may contain. */
export function writePageData(data: object): string {
  return JSON.stringify(data).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Null when the page has no such element. */
export function readPageData<T>(id: string, name: string): T | null {
  const text = document.getElementById(id)?.dataset[name];
  return text === undefined ? null : (JSON.parse(text) as T);
}

/** A reload or a bookmark would show the notice of a change again. */
export function removeNotice(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has("notice")) return;
  address.searchParams.delete("notice");
  history.replaceState(null, "", address);
}

export function findElement<E extends HTMLElement>(type: new () => E, id: string): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no "${id}"`);
  return element;
}

/** Writes to the first element that the selector finds. */
export function writeText(parent: ParentNode, selector: string, text: string): void {
  const target = parent.querySelector(selector);
  if (target !== null) target.textContent = text;
}
