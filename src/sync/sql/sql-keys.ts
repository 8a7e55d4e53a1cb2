/** The list of the account's keys. */
import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { Database, Queryable } from "../../database/database.ts";
import type { KeyProof, KnownKeys } from "../keys/key-proof.ts";
import { planKey, type StoredKeys } from "../keys/plan-key.ts";
import type { AccountKeyStore, AddKeyResult } from "../store.ts";
import { CHANGES_CHANNEL, IS_CLOSED } from "./log-head.ts";

export function createSqlKeys(database: Database): AccountKeyStore {
  return {
    list: () => listSqlKeys(database),
    add: (record, proof) =>
      database.transaction(async (tx) => {
        const result = await addKey(tx, record, proof);
        if (result.kind === "added") tx.notify(CHANGES_CHANNEL);
        return result;
      }),
  };
}

/** Oldest first. */
export async function* listSqlKeys(database: Database): AsyncGenerator<AccountKey> {
  const rows = database.stream<KeyRow>(
    `SELECT ${RECORD} FROM sync_keys WHERE instance = $instance ORDER BY position`,
  );
  for await (const row of rows) yield toRecord(row);
}

/** Finds out which of the keys the list has, when one is not the account's key. */
export async function readKnownKeys(
  store: Queryable,
  current: KeyProof | null,
  keyIds: ReadonlySet<string>,
): Promise<KnownKeys> {
  const others = [...keyIds].filter((keyId) => keyId !== current?.keyId);
  const rows =
    others.length === 0
      ? []
      : await store.queryRows<{ key_id: string }>(
          `SELECT r.key_id FROM {rows} AS r
           JOIN sync_keys k ON k.instance = $instance AND k.key_id = r.key_id`,
          { columns: { key_id: "text" }, rows: others.map((keyId) => [keyId]) },
        );
  const known = new Set(rows.map(({ key_id: keyId }) => keyId));
  return { current, has: (keyId) => keyId === current?.keyId || known.has(keyId) };
}

const RECORD = "key_id, write_hash, former_keys, origin";

interface KeyRow extends Record<string, unknown> {
  readonly key_id: string;
  readonly write_hash: string;
  readonly former_keys: string;
  readonly origin: string | null;
}

function toRecord({
  key_id: keyId,
  write_hash: write,
  former_keys: keys,
  origin,
}: KeyRow): AccountKey {
  return { keyId, write, keys, ...(origin !== null && { from: origin }) };
}

async function addKey(
  tx: Queryable,
  record: AccountKey,
  proof: KeyProof | null,
): Promise<AddKeyResult> {
  const { isClosed, keys } = await readStoredKeys(tx, record, proof);
  // What was deleted does not come back by a request that was on its way.
  if (isClosed) return { kind: "cleared" };
  const plan = planKey(record, proof, keys);
  if (plan.kind === "repeated") return { ...plan, keyId: keys.current?.keyId ?? record.keyId };
  if (plan.kind !== "added") return plan;
  const { keyId, write, keys: former, from } = record;
  await tx.query(
    `INSERT INTO sync_keys (instance, position, ${RECORD}) VALUES ($instance, $1, $2, $3, $4, $5)`,
    [keys.length + 1, keyId, write, former, from ?? null],
  );
  return { ...plan, keyId };
}

/** The length in bytes is known without the text, and envelopes are ASCII. */
const CHARACTERS = "octet_length(former_keys) + coalesce(octet_length(origin), 0)";

async function readStoredKeys(tx: Queryable, record: AccountKey, proof: KeyProof | null) {
  const [log] = await tx.query<{ is_closed: number; length: number; characters: number }>(
    `SELECT ${IS_CLOSED} AS is_closed, length, characters
     FROM sync_log, (SELECT count(*) AS length, coalesce(sum(${CHARACTERS}), 0) AS characters
       FROM sync_keys WHERE instance = $instance) AS list
     WHERE instance = $instance AND id = 1`,
  );
  const [last] = await tx.query<KeyRow>(
    `SELECT ${RECORD} FROM sync_keys WHERE instance = $instance ORDER BY position DESC LIMIT 1`,
  );
  const [same] = await tx.query<KeyRow>(
    `SELECT ${RECORD} FROM sync_keys WHERE instance = $instance AND key_id = $1`,
    [record.keyId],
  );
  const current = last === undefined ? null : { keyId: last.key_id, writeHash: last.write_hash };
  const named = new Set(proof === null ? [] : [proof.keyId]);
  const keys: StoredKeys = {
    ...(await readKnownKeys(tx, current, named)),
    length: log?.length ?? 0,
    characters: log?.characters ?? 0,
    same: same === undefined ? undefined : toRecord(same),
  };
  return { isClosed: log?.is_closed === 1, keys };
}
