import type { OperationKind } from "../../src/contract/sync/operation-limits.ts";
import type { Operation } from "../../src/contract/sync/operation.ts";
import { REFUSED_HEADER } from "../../src/contract/sync/refused-operations.ts";
import { buildOperation, type OperationContent } from "../../src/rules/sync/operation.ts";
import { parseRefused, type RefusedOperation } from "../../src/rules/sync/refused-operations.ts";
import { skipUnless } from "../case.ts";
import { expectSame, fail, withEachWrong } from "../expect.ts";
import type { ReceivedResponse } from "../http.ts";
import type { TestDevice } from "./device.ts";
import { expectErrors } from "./expectations.ts";
import type { SyncServerUnderTest } from "./server-under-test.ts";

export interface OperationOptions extends Omit<OperationContent, "kind" | "revision"> {
  readonly deviceId: string;
  readonly sequence?: number | undefined;
  readonly kind?: OperationKind;
}

/** A valid operation. */
export function createOperation({
  deviceId,
  sequence = 1,
  kind = "create",
  ...content
}: OperationOptions): Operation {
  const revision = { deviceId, sequence };
  return buildOperation({ kind, revision, payload: payloadOf(content.entityId), ...content });
}

export interface TestEntity {
  readonly entityId: string;
  readonly deviceId: string;
  /** A valid operation on the entity, by the device. */
  operation(sequence?: number, options?: Partial<OperationOptions>): Operation;
}

/** A new entity, or this one, and a new device that writes to it. */
export function newEntity(server: SyncServerUnderTest, entityId = server.newSetting()): TestEntity {
  const deviceId = server.newId("device");
  return {
    entityId,
    deviceId,
    operation: (sequence, options) => createOperation({ deviceId, entityId, sequence, ...options }),
  };
}

/** A valid operation of a new device on a new entity, or on this one. */
export function freshOperation(server: SyncServerUnderTest, entityId?: string): Operation {
  return newEntity(server, entityId).operation();
}

/** A valid payload for the type of the entity. */
export function payloadOf(entityId: string): Record<string, unknown> {
  const [type, id = "", date = ""] = entityId.split("/");
  switch (type) {
    case "habit":
      return {
        id,
        name: "Conformance test",
        description: null,
        color: "#336699",
        icon: "check",
        category: "test",
        frequency: "daily",
        targetCount: 1,
        customDays: null,
        isActive: true,
        createdAt: "2026-01-31T12:00:00.000",
      };
    case "entry":
      return {
        id: `entry-${id}`,
        habitId: id,
        date,
        completed: true,
        count: 1,
        timestamp: "2026-01-31T12:00:00Z",
      };
    default:
      return { value: 1 };
  }
}

/** Pushes each operation alone, so that the server must reject every one of them. */
export async function expectRejected(
  server: SyncServerUnderTest,
  operations: readonly unknown[],
): Promise<void> {
  const device = await server.device();
  await expectErrors("invalid_sync_operation", operations, (operation) => device.push([operation]));
}

/** Pushes a valid payload of the entity once for each wrong value; undefined leaves a member out. */
export function expectRejectedPayloads(
  server: SyncServerUnderTest,
  entityId: string,
  wrongValues: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  const operations = withEachWrong(payloadOf(entityId), wrongValues).map((payload) => {
    const present = Object.entries(payload).filter(([, value]) => value !== undefined);
    return newEntity(server, entityId).operation(1, { payload: Object.fromEntries(present) });
  });
  return expectRejected(server, operations);
}

/** The refused operations of a push, as the header names them. */
export function expectRefused(
  response: ReceivedResponse,
  expected: readonly RefusedOperation[],
): void {
  const header = response.header(REFUSED_HEADER) ?? null;
  const refusals = parseRefused(header);
  if (refusals === null) {
    fail(response, `${REFUSED_HEADER} with indexes and codes`, header ?? "none");
  }
  expectSame(response, REFUSED_HEADER, refusals, expected);
}

/** Only the habits profile has rules about types and payloads. */
export function requireHabitsProfile(server: SyncServerUnderTest): void {
  const { profile = "habits" } = server.input;
  skipUnless(profile === "habits", `The instance has the profile ${profile}, without these rules`);
}

/** The shared device; not testable when the instance takes fewer operations in a push. */
export async function deviceForBatch(
  server: SyncServerUnderTest,
  size: number,
): Promise<TestDevice> {
  const { maxPushOperations } = await server.limits();
  const reason = `The instance takes ${maxPushOperations} operations in a push, and this needs ${size}`;
  skipUnless(maxPushOperations >= size, reason);
  return server.device();
}
