import { createChecker } from "../../src/contract/check.ts";
import { SYNC_ERRORS } from "../../src/contract/sync/errors.ts";
import { SealedSnapshotEntity, SnapshotEntity } from "../../src/contract/sync/operation.ts";
import {
  Capabilities,
  ChallengeResponse,
  CompletedResponse,
  Device,
  InstanceInfo,
  PullResponse,
  PushResponse,
  RevokeResponse,
  SnapshotResponse,
  SyncError,
  SyncHealth,
  TokenResponse,
} from "../../src/contract/sync/schemas.ts";
import {
  createBodyExpectation,
  createErrorExpectations,
  expectHeader,
  expectStatus,
  fail,
} from "../expect.ts";
import type { ReceivedResponse } from "../http.ts";

const entityState = createChecker(SnapshotEntity);
const sealedEntityState = createChecker(SealedSnapshotEntity);
const expectSnapshotBody = createBodyExpectation(createChecker(SnapshotResponse));

export const { expectAnyError, expectError, expectErrors, expectErrorAt } = createErrorExpectations(
  SYNC_ERRORS,
  createChecker(SyncError),
  ({ error }) => error,
);
const conflicts = createErrorExpectations(
  { ...SYNC_ERRORS, key_replaced: { status: 409 } },
  createChecker(SyncError),
  ({ error }) => error,
);
/** Of two keys that follow one, the second is a conflict. */
export const expectKeyConflict = (response: ReceivedResponse) =>
  conflicts.expectError(response, "key_replaced");

export const expectHealth = createBodyExpectation(createChecker(SyncHealth));
export const expectCapabilities = createBodyExpectation(createChecker(Capabilities));
export const expectInstanceInfo = createBodyExpectation(createChecker(InstanceInfo));
export const expectChallenge = createBodyExpectation(createChecker(ChallengeResponse));
export const expectCompleted = createBodyExpectation(createChecker(CompletedResponse));
export const expectTokens = createBodyExpectation(createChecker(TokenResponse));
export const expectRevoked = createBodyExpectation(createChecker(RevokeResponse));
export const expectReceipts = createBodyExpectation(createChecker(PushResponse));
export const expectPage = createBodyExpectation(createChecker(PullResponse));
export const expectDevice = createBodyExpectation(createChecker(Device));

export interface Snapshot {
  readonly cursor: string;
  readonly entities: readonly SnapshotEntity[];
}

export function expectSnapshot(response: ReceivedResponse): Snapshot {
  const { cursor, entities } = expectSnapshotBody(response);
  expectEntities(response, entities, entityState);
  return { cursor, entities: entities as SnapshotEntity[] };
}

/** The entities of a snapshot in the profile `sealed`. */
export function expectSealedSnapshot(response: ReceivedResponse): readonly SealedSnapshotEntity[] {
  const { entities } = expectSnapshotBody(response);
  expectEntities(response, entities, sealedEntityState);
  return entities as SealedSnapshotEntity[];
}

function expectEntities(
  response: ReceivedResponse,
  entities: readonly unknown[],
  checker: Pick<typeof entityState, "is" | "errors"> | typeof sealedEntityState,
): void {
  for (const entity of entities) {
    if (checker.is(entity)) continue;
    const [error] = checker.errors(entity);
    fail(response, "entity states", `one in which ${error?.path} ${error?.problem}`);
  }
}

export function expectHtml(response: ReceivedResponse, status: number): string {
  expectStatus(response, status);
  expectHeader(response, "Content-Type", "text/html; charset=utf-8");
  return response.text();
}
