/**
 * Collects what comes within a short time, and does it together. Connections are accepted one in each
 * turn of the event loop, so what they ask for would otherwise never share a commit.
 */
export function gather<Item, Result>(
  doAll: (items: readonly Item[]) => Promise<readonly Result[]>,
  delayMs: number,
): (item: Item) => Promise<Result> {
  let items: Item[] = [];
  let results: Promise<readonly Result[]> | null = null;

  async function doLater(): Promise<readonly Result[]> {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const collected = items;
    items = [];
    results = null;
    return doAll(collected);
  }

  return async (item) => {
    const index = items.push(item) - 1;
    results ??= doLater();
    return (await results)[index] as Result;
  };
}
