/** The records of a storage, and their keys. */
import type { Revision } from "../../contract/sync/operation.ts";
import type { KeyRange, StorageTransaction, StoredRecord } from "./storage.ts";

/** The record is written with every change, in the transaction of that change. */
export interface DeviceRecord {
  readonly format: typeof FORMAT;
  readonly deviceId: string;
  /** The Lamport clock: the greatest sequence that this device has used or seen. */
  readonly sequence: number;
  /** How many operations are to be pushed. */
  readonly pending: number;
  /**
   * The greatest sequence of what this device wrote or could read, where the clock is beyond it: what cannot be
   * read moves the clock by no more than a step.
   */
  readonly opened?: number;
  /** The id of the key that seals; null or absent while none does. */
  readonly keyId?: string | null;
  /** Counts the transactions that changed a record, so that a tab notices those of others. */
  readonly writes: number;
  /** Absent while no indexes are stored. */
  readonly indexes?: Unindexed | undefined;
}

/** What the stored indexes lack. */
export interface Unindexed {
  readonly names: readonly string[];
  /** The number of the stored pages of entities. */
  readonly pages: number;
  /** The write that was noted here last. A client that knows no indexes notes none. */
  readonly writes: number;
  /** The records of entities that were written since the indexes were. */
  readonly recordIds: readonly string[];
}

export interface PositionRecord {
  /** The base URL of the server that the session and the data belong to; absent before a sign-in. */
  readonly server?: string;
  /** Null before the first page. */
  readonly cursor: string | null;
  /** The offset of the cursor, where a page or a receipt told it. */
  readonly offset?: number | null;
  /** Counts how often the device started over; pages of different epochs prove different logs. */
  readonly epoch: number;
  /** Whether the device started over and has not yet queued what the server lacks. */
  readonly recovering: boolean;
  /** When the device last started over to read again what it could not, in milliseconds since the epoch. */
  readonly startedOverAt?: number;
  /** When device and server last had everything of each other, in milliseconds since the epoch. */
  readonly syncedAt: number | null;
}

export type SessionRecord =
  | {
      readonly kind: "signed-in";
      readonly accessToken: string;
      /** Milliseconds since the epoch, by the clock of this device. */
      readonly accessExpiresAt: number;
      readonly refreshToken: string;
    }
  | { readonly kind: "sign-in-needed" };

export interface SignInAttempt {
  readonly baseUrl: string;
  readonly moveData: boolean;
  readonly state: string;
  readonly codeVerifier: string;
  readonly attemptId: string;
  /** The name of this device, where the server takes one. */
  readonly displayName?: string;
}

export interface QuarantineRecord {
  readonly operationId: string;
  /** As the wire has it. */
  readonly entityId: string;
  readonly reason: string;
  /** The operation's JSON, as it was pushed. */
  readonly text: string;
  /** The revision that the change is shown at, where the clock cannot reach its own. */
  readonly shownAt?: Revision;
  /** The first of its transaction, which is retried or discarded as a whole. */
  readonly transaction?: string;
}

/** The format of the records, that of 0.3.0: from it on, a client reads every format before its own. */
export const FORMAT = 2;

export const DEVICE_KEY = "device";
export const POSITION_KEY = "position";
export const SESSION_KEY = "session";
export const SIGN_IN_KEY = "sign-in";

export const ENTITY_PREFIX = "entity/";
/** Operations to be pushed, in the order of their revisions. */
export const PENDING_PREFIX = "pending/";
/** Operations that have a receipt and came in no page since, as they waited. */
export const SENT_PREFIX = "sent/";
export const QUARANTINE_PREFIX = "quarantine/";
export const INDEX_PREFIX = "index/";

/** A record has the id of its entity as the wire has it. */
export function entityKey(recordId: string): string {
  return ENTITY_PREFIX + recordId;
}

export function pendingKey(revision: Revision): string {
  return PENDING_PREFIX + revisionKey(revision);
}

export function sentKey(revision: Revision): string {
  return SENT_PREFIX + revisionKey(revision);
}

/** The sequences of a transaction, which one push sends whole. */
export interface TransactionSpan {
  readonly first: number;
  readonly last: number;
}

export interface PendingRecord {
  readonly text: string;
  /** That of its transaction; null for an operation of its own. */
  readonly span: TransactionSpan | null;
  /** Whether it was sealed before, under a key that the account's list lacks: a server may have it so. */
  readonly isSealedAgain: boolean;
}

const SEALED_AGAIN = "again ";

/** The text of the operation, behind the span of its transaction. */
export function toPendingValue({ text, span, isSealedAgain }: PendingRecord): string {
  const again = isSealedAgain ? SEALED_AGAIN : "";
  return span === null ? again + text : `${again}${span.first}-${span.last} ${text}`;
}

export function readPending(value: string): PendingRecord {
  const start = value.indexOf("{");
  const isSealedAgain = value.startsWith(SEALED_AGAIN);
  const text = value.slice(start);
  const joined = value.slice(isSealedAgain ? SEALED_AGAIN.length : 0, start);
  if (joined === "") return { text, span: null, isSealedAgain };
  const [first = "", last = ""] = joined.split("-");
  return { text, span: { first: Number(first), last: Number(last) }, isSealedAgain };
}

/** The key for an operation id; keys have the order of the revisions. */
export function quarantineKey(operationId: string): string {
  return QUARANTINE_PREFIX + revisionKey(revisionOf(operationId));
}

/** The revision that an operation id such as `operation/phone/7` names. */
export function revisionOf(operationId: string): Revision {
  const [, deviceId = "", sequence = ""] = operationId.split("/");
  return { deviceId, sequence: Number(sequence) };
}

/** The limit of a range that is read at once. */
export const NO_LIMIT = 2 ** 31 - 1;

/** The digits of the greatest sequence. */
const KEY_DIGITS = 16;

/** Keys have the order of the revisions. */
export function revisionKey({ sequence, deviceId }: Revision): string {
  return `${String(sequence).padStart(KEY_DIGITS, "0")}/${deviceId}`;
}

/** All keys with the prefix, which ends in a slash; `after` is the last key of the page before. */
export function prefixRange(prefix: string, limit: number, after?: string): KeyRange {
  return {
    // No key has a space, so this is behind that key and before every other.
    from: after === undefined ? prefix : `${after} `,
    below: `${prefix.slice(0, -1)}0`,
    limit,
  };
}

/** The number of records that one transaction reads. */
export const PAGE_RECORDS = 500;

/** All records with the prefix; each page is a transaction of its own. */
export async function* readPages(
  read: <T>(work: (transaction: StorageTransaction) => Promise<T>) => Promise<T>,
  prefix: string,
  records = PAGE_RECORDS,
): AsyncGenerator<readonly StoredRecord[], void> {
  let after: string | undefined;
  do {
    const range = prefixRange(prefix, records, after);
    const page = await read((transaction) => transaction.list(range));
    yield page;
    after = page.length < records ? undefined : page.at(-1)?.[0];
  } while (after !== undefined);
}

/** The value is trusted, because the client wrote the record itself. */
export async function readRecord<T>(
  transaction: StorageTransaction,
  key: string,
): Promise<T | undefined> {
  const text = await transaction.get(key);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

export function writeRecord(transaction: StorageTransaction, key: string, record: object): void {
  transaction.put(key, JSON.stringify(record));
}

const FIRST_POSITION: PositionRecord = {
  cursor: null,
  epoch: 1,
  recovering: false,
  syncedAt: null,
};

export async function readPosition(transaction: StorageTransaction): Promise<PositionRecord> {
  return (await readRecord<PositionRecord>(transaction, POSITION_KEY)) ?? FIRST_POSITION;
}

export async function changePosition(
  transaction: StorageTransaction,
  change: Partial<PositionRecord>,
): Promise<void> {
  const position = await readPosition(transaction);
  writeRecord(transaction, POSITION_KEY, { ...position, ...change });
}

/** Undefined also for the session of another server, which alone may see its tokens. */
export async function readSession(
  transaction: StorageTransaction,
  baseUrl: string,
): Promise<SessionRecord | undefined> {
  const { server } = await readPosition(transaction);
  return server === baseUrl ? readRecord(transaction, SESSION_KEY) : undefined;
}

/** Forgets the cursor: everything is read again, and what the server lacks is pushed. */
export function toStart({ epoch }: PositionRecord): Partial<PositionRecord> {
  return { cursor: null, offset: null, epoch: epoch + 1, recovering: true };
}
