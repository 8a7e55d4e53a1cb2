/** A device that records what the service acknowledged. */
import assert from "node:assert/strict";
import type {
  PullResponse,
  PushResponse,
  TokenResponse,
} from "../../../src/contract/sync/schemas.ts";
import type { Static } from "typebox";
import { postJson, signIn, type Ask } from "../sync-client.ts";
import { decodeCursor } from "../../../src/sync/log/cursor.ts";
import { ACCOUNT, REDIRECT_URI } from "./sync-instance.ts";

export type Receipt = Static<typeof PushResponse>["receipts"][number];

export interface Device {
  readonly deviceId: string;
  readonly tokens: TokenResponse;
  /** Operation ids by the offsets that were acknowledged for them. */
  readonly acknowledged: ReadonlyMap<number, string>;
  /** Sends a request with the access token to the server `at`. */
  ask(at: Ask, path: string, init?: RequestInit): Promise<Response>;
  push(at: Ask, texts: readonly string[]): Promise<readonly Receipt[]>;
  /** Records the receipts in the body of a response. */
  record(texts: readonly string[], body: string): readonly Receipt[];
  /** Rotates the tokens; after a lost response the old ones are tried again. */
  refresh(at: Ask): Promise<void>;
}

export async function createDevice(at: Ask, deviceId: string): Promise<Device> {
  let tokens = await signIn(at, { ...ACCOUNT, deviceId, redirectUri: REDIRECT_URI });
  const acknowledged = new Map<number, string>();
  const bearer = () => ({ Authorization: `Bearer ${tokens.accessToken}` });

  function record(texts: readonly string[], body: string): readonly Receipt[] {
    const { receipts } = JSON.parse(body) as Static<typeof PushResponse>;
    assert.equal(receipts.length, texts.length);
    for (const [index, { offset }] of receipts.entries()) {
      const id = idOf(texts[index] ?? "");
      assert.equal(acknowledged.get(offset) ?? id, id, `offset ${offset} was used twice`);
      acknowledged.set(offset, id);
    }
    return receipts;
  }

  return {
    deviceId,
    get tokens() {
      return tokens;
    },
    acknowledged,
    ask: (server, path, init = {}) =>
      server(path, { ...init, headers: { ...bearer(), ...(init.headers as object) } }),
    async push(server, texts) {
      const response = await server("/v1/push", {
        method: "POST",
        headers: { ...bearer(), "Content-Type": "application/json" },
        body: `{"operations":[${texts.join(",")}]}`,
      });
      const body = await response.text();
      assert.equal(response.status, 200, body);
      return record(texts, body);
    },
    record,
    async refresh(server) {
      const body = { grantType: "refresh_token", refreshToken: tokens.refreshToken };
      const response = await postJson(server, "/v1/refresh", body);
      const text = await response.text();
      assert.equal(response.status, 200, text);
      tokens = JSON.parse(text) as TokenResponse;
    },
  };
}

export function idOf(text: string): string {
  return (JSON.parse(text) as { operationId: string }).operationId;
}

/** Operations as they are in the log, without their offsets. */
export interface PulledLog {
  readonly texts: readonly string[];
  readonly headOffset: number;
}

/** Pulls the log from where the last call ended. */
export function createLogReader(device: Device): (at: Ask, limit?: number) => Promise<PulledLog> {
  const texts: string[] = [];
  let cursor = "";
  return async (at, limit = 500) => {
    for (;;) {
      const response = await device.ask(at, `/v1/pull?limit=${limit}${cursor}`);
      const body = await response.text();
      assert.equal(response.status, 200, body);
      const page = JSON.parse(body) as Static<typeof PullResponse>;
      assert.equal(page.requiresSnapshot, false, page.recoveryReason);
      texts.push(...page.operations.map((operation) => JSON.stringify(operation)));
      cursor = `&cursor=${page.cursor}`;
      const offset = decodeCursor(page.cursor)?.offset;
      if (offset === page.headOffset) return { texts, headOffset: page.headOffset };
    }
  };
}

/** No operation is missing or repeated, and each has the offset of its receipt. */
export function assertLogMatchesReceipts(
  { texts, headOffset }: PulledLog,
  devices: readonly Device[],
) {
  const ids = texts.map(idOf);
  assert.equal(ids.length, headOffset, "as many operations as offsets");
  assert.equal(new Set(ids).size, ids.length, "each operation once");
  for (const { acknowledged } of devices) {
    for (const [offset, id] of acknowledged) assert.equal(ids[offset - 1], id, `offset ${offset}`);
  }
}
