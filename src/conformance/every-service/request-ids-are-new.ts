/** A generated request id never repeats, whichever the service. */
import { violate } from "../expect.ts";
import type { Origin } from "../http.ts";

/** `sent` is an id of the caller's, which the server must not take for its own. */
export async function expectNewRequestIds(
  api: Origin,
  paths: readonly string[],
  sent?: string,
): Promise<void> {
  const seen = new Set(sent === undefined ? [] : [sent]);
  for (const path of paths) {
    const answer = await api.get(path, sent === undefined ? {} : { "X-Request-Id": sent });
    const id = answer.header("X-Request-Id") ?? "none";
    if (seen.has(id)) violate(answer.asked, "an X-Request-Id that was not used before", id);
    seen.add(id);
  }
}
