/** What a client shows of the records, and reading it. */
import { requireDevice } from "./device-record.ts";
import { EMPTY_VIEW, type EntityView } from "./entity-view.ts";
import { NO_KNOWN_KEYS, readKeysRecord, type KeysRecord } from "./keys-record.ts";
import {
  NO_LIMIT,
  prefixRange,
  QUARANTINE_PREFIX,
  readPosition,
  readSession,
  type QuarantineRecord,
  type SessionRecord,
} from "./records.ts";
import type { StorageTransaction } from "./storage.ts";

/** Replaced as a whole at every change. */
export interface LocalFacts {
  readonly entities: EntityView;
  readonly deviceId: string;
  readonly pending: number;
  readonly quarantine: readonly QuarantineRecord[];
  readonly session: SessionRecord["kind"] | "signed-out";
  readonly syncedAt: number | null;
  readonly keys: KeysRecord;
  /** How many unsent edits went when the records were removed while they were in use; null until then, and after a sign-in. */
  readonly lost: number | null;
}

export const NO_FACTS: LocalFacts = {
  entities: EMPTY_VIEW,
  deviceId: "",
  pending: 0,
  quarantine: [],
  session: "signed-out",
  syncedAt: null,
  keys: NO_KNOWN_KEYS,
  lost: null,
};

/** All but the entities. */
export async function readFacts(transaction: StorageTransaction, baseUrl: string) {
  const { deviceId, pending } = await requireDevice(transaction);
  const { syncedAt } = await readPosition(transaction);
  const session = await readSession(transaction, baseUrl);
  const quarantine = await transaction.list(prefixRange(QUARANTINE_PREFIX, NO_LIMIT));
  return {
    deviceId,
    pending,
    syncedAt,
    keys: await readKeysRecord(transaction),
    session: session?.kind ?? ("signed-out" as const),
    quarantine: quarantine.map(([, text]) => JSON.parse(text) as QuarantineRecord),
  };
}
