/** The JSON samples of the protocol pages are what the services send and take. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { createChecker } from "../../src/contract/check.ts";
import { EVENTS_ERRORS } from "../../src/contract/events/errors.ts";
import { EventList, EventsError, EventsTokenResponse } from "../../src/contract/events/schemas.ts";
import { RELEASE_ERRORS } from "../../src/contract/release/errors.ts";
import { ErrorResponse, SignedManifestEnvelope } from "../../src/contract/release/schemas.ts";
import { SYNC_ERRORS } from "../../src/contract/sync/errors.ts";
import { SyncError } from "../../src/contract/sync/schemas.ts";
import { scanOperation } from "../../src/rules/sync/operation-text.ts";
import { buildOperation } from "../../src/rules/sync/operation.ts";
import { validateOperation } from "../../src/rules/sync/validate-operation.ts";

type Check = (sample: unknown) => void;

const matches =
  (schema: TSchema): Check =>
  (sample) =>
    assert.deepEqual(createChecker(schema).errors(sample), []);

/** An error with the text that the service sends for its code. */
function isError(schema: TSchema, read: (sample: never) => readonly [unknown, unknown]): Check {
  return (sample) => {
    matches(schema)(sample);
    const [found, expected] = read(sample as never);
    assert.equal(found, expected);
  };
}

const isOperation: Check = (sample) =>
  assert.equal(validateOperation(scanOperation(JSON.stringify(sample)), "habits").kind, "valid");

const isEntity: Check = (sample) => {
  const { entityId, payload } = sample as { entityId: string; payload: Record<string, unknown> };
  const revision = { deviceId: "phone", sequence: 1 };
  isOperation(buildOperation({ kind: "create", revision, entityId, payload }));
};

/** One check for every sample, in the order of the page. */
const PAGES: Readonly<Record<string, readonly Check[]>> = {
  release: [
    isError(ErrorResponse, ({ error }: { error: { code: "not_found"; message: string } }) => [
      error.message,
      RELEASE_ERRORS[error.code].message,
    ]),
    matches(SignedManifestEnvelope),
  ],
  sync: [
    isError(SyncError, ({ error, message }: { error: "not_found"; message: string }) => [
      message,
      SYNC_ERRORS[error].message,
    ]),
    isOperation,
    isEntity,
  ],
  events: [
    matches(EventsTokenResponse),
    matches(EventList),
    isError(EventsError, (sample: { error: "not_found"; error_description: string }) => [
      sample.error_description,
      EVENTS_ERRORS[sample.error].description,
    ]),
  ],
};

for (const [service, checks] of Object.entries(PAGES)) {
  test(`every sample of the ${service} protocol is one of the contract`, async () => {
    const page = join(import.meta.dirname, `../../docs/protocol/${service}.md`);
    const samples = [...(await readFile(page, "utf8")).matchAll(/^```json\n(.*?)^```/gms)];
    assert.equal(samples.length, checks.length, "a new sample needs its check here");
    for (const [index, [, sample = ""]] of samples.entries()) checks[index]?.(JSON.parse(sample));
  });
}
