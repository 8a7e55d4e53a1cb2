/** Writes what evolved fields show, so that one day nothing is read from older ones. */
import type { DatedFields } from "../../rules/sync/evolved-fields.ts";
import { toSettledFields } from "../../rules/sync/evolved-writes.ts";
import type { Edit } from "../sync/encode-edit.ts";
import { datePayload, type Fields } from "../sync/entity.ts";
import type { EntityView } from "../sync/entity-view.ts";
import { stopsEdits } from "../sync/errors.ts";
import type { SettleOptions, SettleResult, TransactionResult } from "./collection.ts";
import type { CollectionSettings } from "./collection-settings.ts";
import { findUnknownOption } from "./find-unknown-option.ts";
import { firstStep, showFields } from "./show-fields.ts";

export interface SettleParts {
  readonly settings: CollectionSettings;
  readonly loaded: Promise<void>;
  readonly entities: () => EntityView;
  readonly submit: (edits: readonly Edit[], together: boolean) => Promise<TransactionResult>;
}

/** The greatest number of entities in one transaction. */
const MAX_ENTITIES = 100;

export function createSettle({ settings, loaded, entities, submit }: SettleParts) {
  const { type } = settings;

  /** Judged again when it is stored: an edit of another tab must not be overwritten. */
  const toEdit = (entityId: string): Edit => ({
    kind: "patch",
    entityId,
    payload: {},
    metadata: {},
    complete: (held) => findSettled(settings, held),
  });

  /** Returns how many entities were settled. One that is refused, such as for its size, does not stop others. */
  async function settleTogether(entityIds: readonly string[]): Promise<number> {
    const result = await submit(entityIds.map(toEdit), true);
    if (result.kind === "stored") return result.operationIds.length;
    if (stopsEdits(result)) throw new Error(`Cannot settle "${type}": ${result.message}`);
    if (entityIds.length === 1) return 0;
    const half = Math.ceil(entityIds.length / 2);
    const first = await settleTogether(entityIds.slice(0, half));
    return first + (await settleTogether(entityIds.slice(half)));
  }

  return async function settle(options: SettleOptions = {}): Promise<SettleResult> {
    const unknown = findUnknownOption(options, ["onProgress"]);
    if (unknown !== null) throw new TypeError(`Cannot settle "${type}": ${unknown}`);
    await loaded;
    const unsettled = entities()
      .list(type)
      .filter((entity) => Object.keys(findSettled(settings, datePayload(entity))).length > 0)
      .map(({ entityId }) => entityId);
    // A client that was closed while it loaded shows only a part of its entities.
    let settled = await settleTogether([]);
    for (let at = 0; at < unsettled.length; at += MAX_ENTITIES) {
      settled += await settleTogether(unsettled.slice(at, at + MAX_ENTITIES));
      options.onProgress?.(settled, unsettled.length);
    }
    return { settled };
  };
}

/** What can be settled of an entity: what the schema refuses waits until it is mended. */
function findSettled(settings: CollectionSettings, held: DatedFields): Fields {
  const settled = Object.entries(toSettledFields(settings.evolutions, held));
  if (settled.length === 0) return {};
  const result = showFields(settings, held);
  const wrong = new Set(
    result.kind === "valid" ? [] : result.issues.map(({ path }) => firstStep(path)),
  );
  return Object.fromEntries(settled.filter(([name]) => !wrong.has("") && !wrong.has(name)));
}
