/** What the files of a catalogue folder are called. */
export const CATALOG_FILE = "catalog.json";
export const KEYS_FILE = "keys.json";

export function releaseFile(version: string): string {
  return `releases/${version}.json`;
}
