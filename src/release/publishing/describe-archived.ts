/** One line for the maker about releases that moved to the archive; nothing when none did. */
export function describeArchived([first, ...others]: readonly string[]): string | false {
  if (first === undefined) return false;
  const moved = others.length === 0 ? first : `${others.length + 1} releases, ${first} and older,`;
  return `Moved ${moved} to the archive: the manifest has what apps can still act on`;
}
