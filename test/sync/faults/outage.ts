/** What a client and an operator see while the store is away. */
import assert from "node:assert/strict";
import type { Ask } from "../sync-client.ts";
import type { Device } from "./device.ts";
import type { SyncProcess } from "./sync-instance.ts";

export function pushRaw(device: Device, at: Ask, texts: readonly string[]): Promise<Response> {
  return device.ask(at, "/v1/push", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"operations":[${texts.join(",")}]}`,
  });
}

export async function assertUnavailable(response: Response): Promise<void> {
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(response.status, 503, JSON.stringify(body));
  assert.match(response.headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
  assert.equal(body["error"], "storage_unavailable");
  assert.deepEqual(Object.keys(body), ["error", "message", "requestId"]);
  assert.doesNotMatch(String(body["message"]), /sqlite|postgres|sync_|\//i);
}

export async function assertStopsWell(server: SyncProcess): Promise<void> {
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.equal(server.stderr(), "");
}
