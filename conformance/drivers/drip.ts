import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Sends a body in `pieces` pieces, with a pause of some milliseconds after each. */
export async function drip(
  response: ServerResponse,
  body: string | Uint8Array,
  { pieces, pauseMs }: { readonly pieces: number; readonly pauseMs: number },
): Promise<void> {
  const bytes = Buffer.from(body);
  const size = Math.ceil(bytes.length / pieces);
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
  for (let start = 0; start < bytes.length; start += size) {
    if (response.destroyed) return;
    response.write(bytes.subarray(start, start + size));
    await wait(pauseMs);
  }
  response.end();
}
