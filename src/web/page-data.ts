/** What a page tells its script, as one attribute of an element. */

/** Escaped to ASCII, so that no clean-up of text on its way can touch an address or a state. */
export function writePageData(data: object): string {
  return JSON.stringify(data).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Null when this page has no such element. */
export function readPageData<T>(id: string, name: string): T | null {
  const text = document.getElementById(id)?.dataset[name];
  return text === undefined ? null : (JSON.parse(text) as T);
}
