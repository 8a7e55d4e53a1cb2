/** Edits that the server refused stay visible: the entity's record has those of the quarantine, too. */
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { isSuperseded } from "../../rules/sync/superseded.ts";
import { isRefused, mergeStored, REFUSED, type StoredOperations } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { RecordForm } from "./record-form.ts";
import { NO_LIMIT, prefixRange, QUARANTINE_PREFIX, type QuarantineRecord } from "./records.ts";

/** Must be called when the quarantine has more or less of these entities than before. */
export async function showRefused(
  transaction: LocalTransaction,
  entityIds: Iterable<string>,
): Promise<void> {
  const texts = await transaction.list(prefixRange(QUARANTINE_PREFIX, NO_LIMIT));
  const records = texts.map(([, text]) => JSON.parse(text) as QuarantineRecord);
  const byEntity = Map.groupBy(records, ({ entityId }) => entityId);
  for (const entityId of new Set(entityIds)) {
    const confirmed = (await transaction.readStored(entityId)).filter((one) => !isRefused(one));
    const shown = (byEntity.get(entityId) ?? []).map((record) => toShown(transaction.form, record));
    const refused = toEntityOperations(shown);
    transaction.writeStored(entityId, [...confirmed, ...refused]);
  }
}

/** Later refused edits replace earlier ones, so that an edit costs the same however many are refused. */
function toEntityOperations(operations: readonly ParsedOperation[]): StoredOperations {
  const all = operations.map((operation) => ({ operation, confirmedIn: REFUSED }));
  const state = mergeStored(all);
  // A refused deletion is not shown; one alone tells that the entity has refused edits.
  return state === null
    ? all.slice(-1)
    : all.filter(({ operation }) => operation.kind !== "delete" && !isSuperseded(state, operation));
}

function toShown(form: RecordForm, { text, shownAt }: QuarantineRecord): ParsedOperation {
  const operation = parseOperation(text);
  const moved = shownAt === undefined ? null : form.withRevision(operation, shownAt);
  return moved ?? operation;
}
