/**
 * What a request is refused for before its meaning counts, in the order of the checks, and how each service
 * says so. The HTTP kit responds from this table; the OpenAPI documents, the tables of the protocol pages and
 * the conformance cases are made from it.
 */
import { EVENTS_ERRORS, type EventsErrorCode } from "./events/errors.ts";
import { REVOKE_PATH, TOKEN_PATH } from "./events/values.ts";
import { RELEASE_ERRORS, type ReleaseErrorCode } from "./release/errors.ts";
import { SYNC_ERRORS, type SyncErrorCode } from "./sync/errors.ts";

export interface ErrorPair<Code extends string> {
  readonly status: number;
  readonly code: Code;
}

/** A code stands for its own status; null, where nothing of the service is refused for this. */
type Cell<Code extends string> = Code | ErrorPair<Code> | "ignored" | null;

/** `requests`: those that no route gets. `some routes`: those that declare it themselves. */
export type StrictnessPlace =
  | "requests"
  | "every route"
  | "routes without a body"
  | "routes with a body"
  | "some routes";

interface Row {
  readonly when: string;
  readonly on: StrictnessPlace;
  readonly release: Cell<ReleaseErrorCode>;
  readonly sync: Cell<SyncErrorCode>;
  readonly events: Cell<EventsErrorCode>;
  /** By path, where another specification says so. */
  readonly except?: Readonly<Record<string, ErrorPair<EventsErrorCode>>>;
}

/** RFC 6749 5.2: a request that the token route cannot take is 400. */
const OAUTH = { code: "invalid_request", status: 400 } as const;

export const STRICTNESS = {
  "malformed-request": {
    when: "Broken framing, no `Host` or two, a head over 16 KiB, a request that is not whole in time; the connection is closed, with or without this response",
    on: "requests",
    release: "not_found",
    sync: "invalid_request",
    events: "invalid_request",
  },
  unroutable: {
    when: "A method that HTTP does not have, `CONNECT`, or a byte in the target that none may have",
    on: "requests",
    release: "not_found",
    sync: "invalid_request",
    events: "invalid_request",
  },
  "target-too-long": {
    when: "A target over 8 KiB",
    on: "every route",
    release: "not_found",
    sync: "request_target_too_large",
    events: { code: "invalid_request", status: 414 },
  },
  "malformed-target": {
    when: "A broken escape in the path",
    on: "requests",
    release: "not_found",
    sync: "invalid_request",
    events: "invalid_request",
  },
  "unknown-path": {
    when: "A path that no route has",
    on: "requests",
    release: "not_found",
    sync: "not_found",
    events: "not_found",
  },
  "method-not-allowed": {
    when: "Another method than those of the path",
    on: "requests",
    // The service is read-only: under any other method the address does not exist.
    release: "not_found",
    sync: "method_not_allowed",
    events: "method_not_allowed",
  },
  "origin-denied": {
    when: "An `Origin` that is not allowed",
    on: "every route",
    release: null,
    sync: "cors_denied",
    events: null,
  },
  unauthenticated: {
    when: "An access token that is missing or not valid",
    on: "some routes",
    release: null,
    sync: "invalid_access_token",
    // RFC 6750 3 has a form for each case.
    events: null,
  },
  "unexpected-body": {
    when: "A body, empty ones apart",
    on: "routes without a body",
    // A cache or a proxy may have added it, and nothing of the service reads it.
    release: "ignored",
    sync: "invalid_request",
    events: "invalid_request",
  },
  "unsupported-media-type": {
    when: "Another media type, a `charset` other than UTF-8, a `Content-Encoding`",
    on: "routes with a body",
    release: null,
    sync: "unsupported_media_type",
    events: { code: "invalid_request", status: 415 },
    except: { [TOKEN_PATH]: OAUTH, [REVOKE_PATH]: OAUTH },
  },
  "too-large": {
    when: "A body over the limit",
    on: "every route",
    release: null,
    sync: "payload_too_large",
    events: { code: "invalid_request", status: 413 },
  },
  incomplete: {
    when: "A body that ends before its end",
    on: "every route",
    release: null,
    sync: "invalid_request",
    events: "invalid_request",
  },
  "invalid-json": {
    when: "A body that is not UTF-8 or begins with a byte order mark; JSON that cannot be parsed, or in which one object has a name twice",
    on: "routes with a body",
    release: null,
    sync: "invalid_json",
    events: "invalid_request",
  },
  "rate-limited": {
    when: "Too many requests; see `Retry-After`",
    on: "some routes",
    // An operator may set a limit, which adds a code to those of the contract.
    release: null,
    sync: "rate_limited",
    events: "temporarily_unavailable",
  },
  unavailable: {
    when: "The store cannot be used now; see `Retry-After`",
    on: "some routes",
    release: null,
    sync: "storage_unavailable",
    events: { code: "temporarily_unavailable", status: 503 },
  },
  unexpected: {
    when: "A failure that nothing else in this table describes",
    on: "every route",
    release: "internal_error",
    sync: "internal_error",
    events: "server_error",
  },
} as const satisfies Record<string, Row>;

export type StrictnessReason = keyof typeof STRICTNESS;

/** The column of one service. */
export interface Strictness<Code extends string> {
  readonly errors: Readonly<Record<Code, { readonly status: number }>>;
  /** Every status with a code that an error of the service may have: a closed list. */
  readonly pairs: readonly ErrorPair<Code>[];
  /** The code with its own status. */
  pairOf(code: Code): ErrorPair<Code>;
  errorsOn(places: readonly StrictnessPlace[], path?: string): readonly ErrorPair<Code>[];
  /** The response to what nothing declares is that to a failure. */
  errorOf(reason: StrictnessReason, path?: string): ErrorPair<Code>;
  /** Whether the service has a response to this; nothing of it is refused otherwise. */
  covers(reason: StrictnessReason): boolean;
  /** Whether requests of such a kind get the response of any other. */
  ignores(reason: StrictnessReason): boolean;
}

export const RELEASE_STRICTNESS = readColumn("release", RELEASE_ERRORS);
export const SYNC_STRICTNESS = readColumn("sync", SYNC_ERRORS);
export const EVENTS_STRICTNESS = readColumn("events", EVENTS_ERRORS);

function readColumn<Code extends string>(
  service: "release" | "sync" | "events",
  errors: Readonly<Record<Code, { readonly status: number }>>,
): Strictness<Code> {
  const rows: Readonly<Record<string, Row>> = STRICTNESS;
  const cellOf = (reason: string) => rows[reason]?.[service] as Cell<Code> | undefined;
  const pairOf = (code: Code): ErrorPair<Code> => ({ code, status: errors[code].status });
  const errorOf = (reason: StrictnessReason, path = ""): ErrorPair<Code> => {
    const exception = rows[reason]?.except?.[path] as ErrorPair<Code> | undefined;
    if (exception !== undefined) return exception;
    const cell = cellOf(reason) ?? cellOf("unexpected");
    return typeof cell === "object" && cell !== null ? cell : pairOf(cell as Code);
  };
  const ignores = (reason: StrictnessReason) => cellOf(reason) === "ignored";
  const reasons = (Object.keys(STRICTNESS) as StrictnessReason[]).filter(
    (reason) => !ignores(reason),
  );
  return {
    errors,
    pairs: unique([
      ...(Object.keys(errors) as Code[]).map(pairOf),
      ...reasons.map((reason) => errorOf(reason)),
    ]),
    pairOf,
    errorsOn: (places, path) =>
      unique(
        reasons
          .filter((reason) => places.includes(STRICTNESS[reason].on) && cellOf(reason) !== null)
          .map((reason) => errorOf(reason, path)),
      ),
    errorOf,
    covers: (reason) => cellOf(reason) !== null,
    ignores,
  };
}

function unique<Code extends string>(pairs: readonly ErrorPair<Code>[]): ErrorPair<Code>[] {
  return [...new Map(pairs.map((pair) => [`${pair.status} ${pair.code}`, pair])).values()];
}
