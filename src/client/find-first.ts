/**
 * The index of the first item that the test holds for; it then holds for all that follow. Only the items from `low`
 * up to `high` are looked at.
 */
export function findFirst<T>(
  items: readonly T[],
  test: (item: T) => boolean,
  low = 0,
  high = items.length,
): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
