import { createChecker } from "../../contract/check.ts";
import { SYNC_ERRORS, type SyncErrorCode } from "../../contract/sync/errors.ts";
import { SnapshotEntity } from "../../contract/sync/operation.ts";
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
} from "../../contract/sync/schemas.ts";
import {
  createBodyExpectation,
  createErrorAtExpectation,
  describeResponse,
  expectBody,
  expectHeader,
  expectStatus,
  fail,
} from "../expect.ts";
import type { HttpResponse } from "../http.ts";

const errorBody = createChecker(SyncError);
const entityState = createChecker(SnapshotEntity);
const expectSnapshotBody = createBodyExpectation(createChecker(SnapshotResponse));

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

export function expectSnapshot(response: HttpResponse): Snapshot {
  const { cursor, entities } = expectSnapshotBody(response);
  for (const entity of entities) {
    if (entityState.is(entity)) continue;
    const [error] = entityState.errors(entity);
    fail(response.asked, "entity states", `one in which ${error?.path} ${error?.problem}`);
  }
  return { cursor, entities: entities as SnapshotEntity[] };
}

/** An error response with one of these codes and the status that the contract gives it. */
export function expectError(response: HttpResponse, ...codes: SyncErrorCode[]): SyncError {
  const expected = codes.map((code) => `status ${SYNC_ERRORS[code].status} ${code}`).join(" or ");
  if (response.status < 400) fail(response.asked, expected, describeResponse(response));
  const body = expectAnyError(response);
  const code = codes.find((candidate) => candidate === body.error);
  if (code !== undefined && response.status === SYNC_ERRORS[code].status) return body;
  return fail(response.asked, expected, `status ${response.status} ${body.error}`);
}

/** Every path responds to GET with this error. */
export const expectErrorAt = createErrorAtExpectation(expectError);

export function expectAnyError(response: HttpResponse): SyncError {
  if (response.status < 400) fail(response.asked, "an error", describeResponse(response));
  return expectBody(response, errorBody);
}

export function expectHtml(response: HttpResponse, status: number): string {
  expectStatus(response, status);
  expectHeader(response, "Content-Type", "text/html; charset=utf-8");
  return response.text();
}
