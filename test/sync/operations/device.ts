/** A minimal device: it pulls, merges, pushes, and recovers as the protocol says. */
import assert from "node:assert/strict";
import type { Static } from "typebox";
import type { SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { DEFAULT_SYNC_LIMITS } from "../../../src/contract/sync/values.ts";
import type {
  PullResponse as PullSchema,
  PushResponse as PushSchema,
} from "../../../src/contract/sync/schemas.ts";
import { joinBody, type HttpResponse } from "../../../src/http/response.ts";
import { applyOperation, type EntityState } from "../../../src/rules/sync/merge.ts";
import { parseOperation } from "../../../src/rules/sync/operation-text.ts";
import { pullResponse } from "../../../src/sync/log/pull.ts";
import { createPushHandler } from "../../../src/sync/log/push.ts";
import type { SyncStore } from "../../../src/sync/store.ts";

export type PullResponse = Static<typeof PullSchema>;
export type PushResponse = Static<typeof PushSchema>;

export interface Device {
  /** Pushes, and merges what was acknowledged. */
  push(operations: readonly Operation[]): Promise<PushResponse>;
  /** Pulls to the head; returns the reasons for which it had to start anew. */
  sync(limit: number): Promise<string[]>;
  cursor: string | undefined;
  /** Every entity in the state of this device. */
  view(): unknown;
}

export function createDevice(store: Pick<SyncStore, "operations">): Device {
  const held = new Map<string, Operation>();
  const states = new Map<string, EntityState>();

  function keep(operation: Operation): void {
    held.set(operation.operationId, operation);
    const read = parseOperation(JSON.stringify(operation));
    const before = states.get(read.entityId) ?? null;
    states.set(read.entityId, applyOperation(before, read).state);
  }

  async function push(operations: readonly Operation[]): Promise<PushResponse> {
    // A device without a cursor cannot notice that the store was replaced.
    if (device.cursor === undefined) await device.sync(100);
    const response = await pushTo(store, operations);
    operations.forEach(keep);
    return response;
  }

  const device: Device = {
    push,
    cursor: undefined,
    async sync(limit) {
      const reasons: string[] = [];
      const seen = new Set<string>();
      for (let pages = 0; ; pages++) {
        assert.ok(pages < 2000, "the device pulls for ever");
        const page = await pullFrom(store, device.cursor, limit);
        if (page.requiresSnapshot) {
          reasons.push(page.recoveryReason);
          assert.ok(reasons.length < 3, "the device starts over again and again");
          device.cursor = undefined;
          seen.clear();
          continue;
        }
        for (const operation of page.operations as Operation[]) {
          keep(operation);
          seen.add(operation.operationId);
        }
        device.cursor = page.cursor;
        if (offsetOf(page.cursor) >= page.headOffset) break;
      }
      if (reasons.length > 0) {
        const missing = [...held.values()].filter(({ operationId }) => !seen.has(operationId));
        for (let start = 0; start < missing.length; start += 100) {
          await pushTo(store, missing.slice(start, start + 100));
        }
      }
      return reasons;
    },
    view: () => viewOf(states),
  };
  return device;
}

export function viewOf(states: ReadonlyMap<string, EntityState>): unknown {
  return [...states].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, state]) => state);
}

export async function pushTo(
  store: Pick<SyncStore, "operations">,
  operations: readonly Operation[],
  now: () => number = Date.now,
  profile: SyncProfile = "open",
  keyHeader: string | null = null,
): Promise<PushResponse> {
  const handler = createPushHandler({
    store: store as SyncStore,
    limits: DEFAULT_SYNC_LIMITS,
    profile,
    now,
  });
  const body = Buffer.from(JSON.stringify({ operations }));
  const response = await handler.handle(body, "request-of-a-test", keyHeader);
  assert.ok(!("kind" in response));
  assert.equal(response.status, 200, String(response.body));
  return parse<PushResponse>(response);
}

export async function pullFrom(
  { operations }: Pick<SyncStore, "operations">,
  cursor: string | undefined,
  limit: number,
): Promise<PullResponse> {
  const response = await pullResponse(operations, cursor, limit, "request-of-a-test", {
    tellsKey: false,
    async onLostHistory() {},
    onPage() {},
  });
  assert.equal(response.status, 200, String(response.body));
  return parse<PullResponse>(response);
}

function parse<T>({ body }: HttpResponse): T {
  return JSON.parse(String(joinBody(body))) as T;
}

function offsetOf(cursor: string): number {
  const text = Buffer.from(cursor, "base64url").toString();
  return (JSON.parse(text) as { readonly offset: number }).offset;
}
