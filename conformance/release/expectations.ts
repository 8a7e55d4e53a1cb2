import { parseDateTime } from "../../src/contract/date-time.ts";
import { createChecker } from "../../src/contract/check.ts";
import { RELEASE_ERRORS, type ReleaseErrorCode } from "../../src/contract/release/errors.ts";
import {
  ErrorResponse,
  Health,
  ManifestPayload,
  Release,
  ReleaseArchive,
  ReleaseDownloads,
  ReleaseList,
  SignedManifestEnvelope,
  UpdateDecision,
} from "../../src/contract/release/schemas.ts";
import {
  createBodyExpectation,
  createErrorExpectations,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectShape,
  expectStatus,
  fail,
} from "../expect.ts";
import type { Origin, ReceivedResponse } from "../http.ts";

/** One strong validator. */
export const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;

const manifestPayload = createChecker(ManifestPayload);

export const { expectAnyError, expectError, expectErrors, expectErrorAt } = createErrorExpectations(
  RELEASE_ERRORS,
  createChecker(ErrorResponse),
  ({ error }) => error.code,
);
export const expectHealth = createBodyExpectation(createChecker(Health));
export const expectList = createBodyExpectation(createChecker(ReleaseList));
export const expectRelease = createBodyExpectation(createChecker(Release));
export const expectArchive = createBodyExpectation(createChecker(ReleaseArchive));
export const expectDownloads = createBodyExpectation(createChecker(ReleaseDownloads));
export const expectEnvelope = createBodyExpectation(createChecker(SignedManifestEnvelope));
export const expectDecision = createBodyExpectation(createChecker(UpdateDecision));

/** Returns the decoded payload without verifying its signature, which one case alone does. */
export function expectManifestPayload(response: ReceivedResponse): ManifestPayload {
  const bytes = Buffer.from(expectEnvelope(response).payload, "base64url");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return fail(response, "a payload of UTF-8 JSON", "other bytes");
  }
  return expectShape(response, value, manifestPayload, "a payload of the declared shape");
}

export function expectErrorsAt(
  origin: Origin,
  codesByPath: Readonly<Record<string, ReleaseErrorCode>>,
): Promise<void> {
  return expectEach(Object.entries(codesByPath), async ([path, code]) =>
    expectError(await origin.get(path), code),
  );
}

/** Returns the `Location` (release contract, What the service does: convention 7). */
export function expectAbsoluteRedirect(response: ReceivedResponse, status = 302): string {
  expectStatus(response, status);
  return expectHeaderMatch(response, "Location", /^https?:\/\/[^/?#]/, "an absolute address");
}

export function expectRedirect(response: ReceivedResponse, location: string): void {
  expectAbsoluteRedirect(response);
  expectHeader(response, "Location", location);
}

/** This comparison is written apart from the server's own, so that both do not share an error. */
export function compareVersions(a: string, b: string): number {
  const right = b.split(".").map(BigInt);
  for (const [index, left] of a.split(".").map(BigInt).entries()) {
    const other = right[index] ?? 0n;
    if (left !== other) return left < other ? -1 : 1;
  }
  return 0;
}

export type DeadlineState = "none" | "passed" | "ahead" | "near";

// A cached response may be five minutes old, and clocks differ: this near a deadline proves nothing.
const NEAR_MS = 600_000;

export function deadlineState(mandatoryAfter: string | null): DeadlineState {
  if (mandatoryAfter === null) return "none";
  const remainingMs = (parseDateTime(mandatoryAfter) ?? 0) - Date.now();
  if (Math.abs(remainingMs) < NEAR_MS) return "near";
  return remainingMs > 0 ? "ahead" : "passed";
}
