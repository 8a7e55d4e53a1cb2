/** Runs code that is not ours (storage, sinks, the network): what it throws becomes a value. */

export type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly cause: unknown };

export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: "done", value: await work() };
  } catch (cause) {
    return { kind: "failed", cause };
  }
}
