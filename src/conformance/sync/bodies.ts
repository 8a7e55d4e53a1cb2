/** The bodies of the sync contract, as expectations. */
import { createChecker, type Checker } from "../../contract/check.ts";
import { SYNC_ERRORS, type SyncErrorCode } from "../../contract/sync/errors.ts";
import type { SnapshotEntity } from "../../contract/sync/operation.ts";
import {
  Capabilities,
  ChallengeResponse,
  CompletedResponse,
  Device,
  InstanceInfo,
  PullResponse,
  PushResponse,
  RevokeResponse,
  SnapshotEntitySchema,
  SnapshotResponse,
  SyncError,
  SyncHealth,
  TokenResponse,
} from "../../contract/sync/schemas.ts";
import { describeAnswer, expectBody, expectStatus, violate } from "../expect.ts";
import type { HttpResponse } from "../http.ts";

const errorBody = createChecker(SyncError);
const entityState = createChecker(SnapshotEntitySchema);
const snapshotBody = expectOk(createChecker(SnapshotResponse));

export const expectHealth = expectOk(createChecker(SyncHealth));
export const expectCapabilities = expectOk(createChecker(Capabilities));
export const expectInstanceInfo = expectOk(createChecker(InstanceInfo));
export const expectChallenge = expectOk(createChecker(ChallengeResponse));
export const expectCompleted = expectOk(createChecker(CompletedResponse));
export const expectTokens = expectOk(createChecker(TokenResponse));
export const expectRevoked = expectOk(createChecker(RevokeResponse));
export const expectReceipts = expectOk(createChecker(PushResponse));
export const expectPage = expectOk(createChecker(PullResponse));
export const expectDevice = expectOk(createChecker(Device));

function expectOk<T>(checker: Checker<T>): (answer: HttpResponse) => T {
  return (answer) => {
    expectStatus(answer, 200);
    return expectBody(answer, checker);
  };
}

export interface Snapshot {
  readonly cursor: string;
  readonly entities: readonly SnapshotEntity[];
}

export function expectSnapshot(answer: HttpResponse): Snapshot {
  const { cursor, entities } = snapshotBody(answer);
  for (const entity of entities) {
    if (entityState.is(entity)) continue;
    const [fault] = entityState.faults(entity);
    violate(answer.asked, "entity states", `one in which ${fault?.path} ${fault?.problem}`);
  }
  return { cursor, entities: entities as SnapshotEntity[] };
}

/** An error answer with this code and the status that the contract gives it. */
export function expectError(answer: HttpResponse, ...codes: SyncErrorCode[]): SyncError {
  const expected = codes.map((code) => `status ${SYNC_ERRORS[code].status} ${code}`).join(" or ");
  if (answer.status < 400) violate(answer.asked, expected, describeAnswer(answer));
  const body = expectAnyError(answer);
  const code = codes.find((candidate) => candidate === body.error);
  if (code !== undefined && answer.status === SYNC_ERRORS[code].status) return body;
  return violate(answer.asked, expected, `status ${answer.status} ${body.error}`);
}

export function expectAnyError(answer: HttpResponse): SyncError {
  if (answer.status < 400) violate(answer.asked, "an error", describeAnswer(answer));
  return expectBody(answer, errorBody);
}
