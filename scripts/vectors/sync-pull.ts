/** Responses of a pull, and what a client does with each. */
import { MAX_CLOCK_STEP, MAX_SEQUENCE } from "../../src/contract/sync/operation-limits.ts";
import { isPassing } from "../../src/client/sync/errors.ts";
import { readPage } from "../../src/client/sync/request-page.ts";
import { requestSync, type SyncRequest } from "../../src/client/sync/request.ts";
import { RECOVERY_REASONS } from "../../src/contract/sync/values.ts";
import { createOperation } from "../../test/fixtures/sync-operation.ts";
import type { VectorSource } from "./vector-file.ts";

interface PullInput {
  /** The cursor that the request had; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
  readonly status: number;
  readonly body: string;
}

export function createPullVectors(): VectorSource<PullInput> {
  return {
    name: "sync-pull",
    description:
      "What a client does with a response of GET /v1/pull: docs/protocol/sync.md, Pulling. `input` is the cursor and the limit of the request, and the status and body of the response. `expected.action` is `merge` (these operations, stored together with this cursor and, where it is known, its offset; `again` says whether to pull on), `start-over` (without a cursor, from the first page, and nothing is thrown away), `wait` (the same request later), or `stop` (nothing is merged, the cursor stays, and a person is told). 401 is not among them: every route has it.",
    inputs: PULL_INPUTS,
    expect: decide,
    codes: ["merge", "start-over", "wait", "stop"],
  };
}

async function decide({ cursor, limit, status, body }: PullInput): Promise<object> {
  const settings = {
    baseUrl: "https://sync.example.com",
    fetch: () => Promise.resolve(new Response(body, { status })),
    setTimer: () => () => {},
    now: () => 0,
  };
  const request: SyncRequest = { path: "/v1/pull", signal: new AbortController().signal };
  const result = readPage(await requestSync(settings, request), { cursor }, limit);
  switch (result.kind) {
    case "page": {
      const operationIds = result.operations.map(({ operationId }) => operationId);
      const { cursor: next, offset, hasMore: again } = result;
      return { action: "merge", operationIds, cursor: next, offset, again };
    }
    case "lost-history":
      return { action: "start-over" };
    case "failed":
      return { action: isPassing(result.error) ? "wait" : "stop" };
  }
}

const [BEFORE, AFTER] = ["Y3Vyc29yIDE", "Y3Vyc29yIDI"];

/** The cursor of an offset, as Trellis writes it. */
function placeAt(offset: number, version = 1): string {
  const place = { version, generation: "aGVhZA", offset, mark: "AAAAAAAAAAA" };
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function page(changes: object, request: Partial<PullInput> = {}): PullInput {
  const body = {
    operations: [note(1), note(2)],
    cursor: AFTER,
    headOffset: 2,
    compactionFloor: 0,
    requiresSnapshot: false,
    recoveryReason: "none",
    ...changes,
  };
  return { cursor: BEFORE, limit: 2, status: 200, body: JSON.stringify(body), ...request };
}

function note(sequence: number, changes: object = {}): object {
  return {
    ...createOperation({ sequence, entityId: "note/1", payload: { text: "" } }),
    ...changes,
  };
}

function error(status: number, code: string, request: Partial<PullInput> = {}): PullInput {
  const body = { error: code, message: "For people", requestId: "Jw0ZcVd0bq2mYd0XyqgX3A" };
  return { cursor: BEFORE, limit: 2, status, body: JSON.stringify(body), ...request };
}

function lost(recoveryReason: string): PullInput {
  return page({ operations: [], requiresSnapshot: true, recoveryReason });
}

const reasons = RECOVERY_REASONS.filter((reason) => reason !== "none");
const last = MAX_SEQUENCE - MAX_CLOCK_STEP;
const repeated = page({}).body.replace('"text":""', '"text":"","text":""');

const PULL_INPUTS: Record<string, PullInput> = {
  "a full page": page({}),
  "a page that is not full": page({}, { limit: 3 }),
  "a page that is not full, and ends before the head": page(
    { cursor: placeAt(6), headOffset: 9 },
    { limit: 3 },
  ),
  "a page that is not full, and ends at the head": page(
    { cursor: placeAt(9), headOffset: 9 },
    { limit: 3 },
  ),
  "a full page at the head": page({ cursor: placeAt(9), headOffset: 9 }),
  "a full page before the head": page({ cursor: placeAt(6), headOffset: 9 }),
  "an empty page before the head": page({ operations: [], cursor: placeAt(6), headOffset: 9 }),
  "a cursor of another version": page({ cursor: placeAt(6, 2), headOffset: 9 }, { limit: 3 }),
  "an empty page": page({ operations: [] }),
  "the first page": page({}, { cursor: null }),
  "a page with members of a later version": page({ hint: 1 }),
  ...Object.fromEntries(reasons.map((reason) => [`lost history: ${reason}`, lost(reason)])),
  "lost history for a reason of a later version": lost("moved"),
  "the cursor is refused": error(400, "invalid_cursor"),
  "a cursor is refused that was not sent": error(400, "invalid_cursor", { cursor: null }),
  "the request is refused": error(400, "invalid_request"),
  "no such address": error(404, "not_found"),
  "the origin is refused": error(403, "cors_denied"),
  "too many requests": error(429, "rate_limited"),
  "the server failed": error(500, "internal_error"),
  "the storage is away": error(503, "storage_unavailable"),
  "a gateway's error": page({}, { status: 502, body: "<html>Bad gateway</html>" }),
  "a proxy's refusal": page({}, { status: 403, body: "<html>Forbidden</html>" }),
  "a page for people": page({}, { body: "<html>Welcome to this hotel</html>" }),
  "a list": page({}, { body: "[]" }),
  "no operations": page({ operations: undefined }),
  "no cursor": page({ cursor: undefined }),
  "a cursor that fits no address": page({ cursor: "a b" }),
  "an operation that is not valid": page({ operations: [note(1), note(2, { kind: "move" })] }),
  "an operation with a member twice": page({}, { body: repeated }),
  "the last sequence that others can follow": page({ operations: [note(last)] }),
  "a sequence that no other could follow": page({ operations: [note(last + 1)] }),
};
