import { createChecker } from "../../src/contract/check.ts";
import { SYNC_ERRORS } from "../../src/contract/sync/errors.ts";
import { SnapshotEntity } from "../../src/contract/sync/operation.ts";
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
const expectSnapshotBody = createBodyExpectation(createChecker(SnapshotResponse));

export const { expectAnyError, expectError, expectErrors, expectErrorAt } = createErrorExpectations(
  SYNC_ERRORS,
  createChecker(SyncError),
  ({ error }) => error,
);
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
  for (const entity of entities) {
    if (entityState.is(entity)) continue;
    const [error] = entityState.errors(entity);
    fail(response, "entity states", `one in which ${error?.path} ${error?.problem}`);
  }
  return { cursor, entities: entities as SnapshotEntity[] };
}

export function expectHtml(response: ReceivedResponse, status: number): string {
  expectStatus(response, status);
  expectHeader(response, "Content-Type", "text/html; charset=utf-8");
  return response.text();
}
