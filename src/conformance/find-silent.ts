/** Whether anybody is there: nothing can be said of a server that does not answer. */
import { createHttpClient, NoResponse } from "./http.ts";

/** Those of the addresses at which nobody answers. */
export async function findSilent(urls: readonly string[], path: string): Promise<string[]> {
  const http = createHttpClient();
  try {
    const found = await Promise.all(
      urls.map((url) =>
        http
          .origin(url)
          .get(path)
          .then(
            () => [],
            (error: unknown) => (error instanceof NoResponse ? [url] : []),
          ),
      ),
    );
    return found.flat();
  } finally {
    http.close();
  }
}
