import { ConformanceError } from "./case.ts";
import { createHttpClient, NoResponseError, type HttpClient, type HttpLimits } from "./http.ts";
import type { RunOptions } from "./run-cases.ts";

/** The redirect URI of desktop apps in a fresh configuration. */
export const DEFAULT_REDIRECT_URI = "http://localhost:43823/callback";

/** Which cases a check runs, how many at once, and who learns of each result. */
export interface CheckOptions extends RunOptions {
  /** How long the run waits for a response, and how much it reads. */
  readonly limits?: HttpLimits;
}

export async function withHttpClient<T>(
  limits: HttpLimits | undefined,
  use: (http: HttpClient) => Promise<T>,
): Promise<T> {
  const http = createHttpClient(limits);
  try {
    return await use(http);
  } finally {
    http.close();
  }
}

/** Runs work whose failures the cases report; undefined when the server does not conform. */
export async function ignoreConformanceErrors<T>(
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConformanceError) return undefined;
    throw error;
  }
}

/** Reads the value of each key once in a run. */
export function memoize<Args extends [key?: string], Value>(
  read: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  const valuesByKey = new Map<string | undefined, Promise<Value>>();
  return (...args) => {
    const known = valuesByKey.get(args[0]);
    if (known !== undefined) return known;
    const value = read(...args);
    valuesByKey.set(args[0], value);
    return value;
  };
}

/** Makes a function that runs one work at a time, in the order of the calls. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** Finds the URLs at which no server responds. */
export function findUnreachable(urls: readonly string[], path: string): Promise<string[]> {
  return withHttpClient({}, async (http) => {
    const found = await Promise.all(
      urls.map(async (url) => {
        try {
          await http.origin(url).get(path);
        } catch (error) {
          if (error instanceof NoResponseError) return [url];
        }
        return [];
      }),
    );
    return found.flat();
  });
}
