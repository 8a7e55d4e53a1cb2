import { request } from "node:http";
import type { Ask } from "./sync-client.ts";

/** `fetch` would not let a caller choose the host. */
export function askByHost(address: string, host: string): Ask {
  return (path, init = {}) =>
    new Promise((resolve, reject) => {
      const headers = { ...(init.headers as Record<string, string>), Host: host };
      const sent = request(`${address}${path}`, { method: init.method ?? "GET", headers });
      sent.once("error", reject);
      sent.once("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("end", () => {
          const responseHeaders = Object.entries(incoming.headers).map(
            ([name, value]): [string, string] => [name, String(value)],
          );
          resolve(
            new Response(Buffer.concat(chunks), {
              status: incoming.statusCode ?? 0,
              headers: responseHeaders,
            }),
          );
        });
      });
      sent.end(init.body as string | undefined);
    });
}
