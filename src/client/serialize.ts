/** Runs asynchronous tasks one after the other. */
export type Serialize = <T>(task: () => Promise<T>) => Promise<T>;

export function createSerialize(): Serialize {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
