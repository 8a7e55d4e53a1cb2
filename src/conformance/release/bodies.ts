/** The bodies of the release contract, as expectations. */
import { createChecker, type Checker } from "../../contract/check.ts";
import { RELEASE_ERRORS, type ReleaseErrorCode } from "../../contract/release/errors.ts";
import {
  ErrorResponse,
  Health,
  ManifestPayload,
  Release,
  ReleaseDownloads,
  ReleaseList,
  SignedManifestEnvelope,
  UpdateDecision,
} from "../../contract/release/schemas.ts";
import { describeAnswer, expectBody, expectStatus, violate } from "../expect.ts";
import type { HttpResponse } from "../http.ts";

const errorBody = createChecker(ErrorResponse);
export const manifestPayload = createChecker(ManifestPayload);

export const expectHealth = expectOk(createChecker(Health));
export const expectList = expectOk(createChecker(ReleaseList));
export const expectRelease = expectOk(createChecker(Release));
export const expectDownloads = expectOk(createChecker(ReleaseDownloads));
export const expectEnvelope = expectOk(createChecker(SignedManifestEnvelope));
export const expectDecision = expectOk(createChecker(UpdateDecision));

function expectOk<T>(checker: Checker<T>): (answer: HttpResponse) => T {
  return (answer) => {
    expectStatus(answer, 200);
    return expectBody(answer, checker);
  };
}

/** An error answer with this code and the status that the contract gives it. */
export function expectError(
  answer: HttpResponse,
  code: ReleaseErrorCode,
  status: number = RELEASE_ERRORS[code].status,
): void {
  const expected = `status ${status} ${code}`;
  if (answer.status < 400) violate(answer.asked, expected, describeAnswer(answer));
  const { error } = expectAnyError(answer);
  if (answer.status === status && error.code === code) return;
  violate(answer.asked, expected, `status ${answer.status} ${error.code}`);
}

export function expectAnyError(answer: HttpResponse): ErrorResponse {
  if (answer.status < 400) violate(answer.asked, "an error", describeAnswer(answer));
  return expectBody(answer, errorBody);
}
