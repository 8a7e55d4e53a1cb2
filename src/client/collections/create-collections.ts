/** What a sync client has of collections: `collection` and `transaction`. */
import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { Edit } from "../sync/encode-edit.ts";
import type { StoredEntity } from "../sync/entity.ts";
import { isOfType, type EntityView } from "../sync/entity-view.ts";
import type { RefusedEdit } from "../sync/errors.ts";
import { createListeners, type Observable } from "../sync/observable.ts";
import { toEditResult } from "../sync/edits.ts";
import type { StoredIndexes } from "../sync/stored-indexes.ts";
import type {
  CollectionResult,
  CreateCollection,
  TransactionResult,
  TransactionWork,
} from "./collection.ts";
import {
  readCollectionSettings,
  type CollectionSettings,
  type UntypedOptions,
} from "./collection-settings.ts";
import { createCollectionView } from "./collection-view.ts";
import { createKeptIndexes, type KeptIndexes } from "./kept-indexes.ts";
import { createLiveQueries } from "./live-query.ts";
import { findDifference } from "./find-difference.ts";
import { createPlanner, type EditPlan, type Planner } from "./plan-edits.ts";
import type { ReadQuery } from "./read-query.ts";
import { createSettle } from "./settle.ts";

export interface CollectionsOptions {
  readonly loaded: Promise<void>;
  readonly isLoaded: () => boolean;
  readonly observable: Pick<Observable, "activity" | "onChange">;
  readonly indexes: StoredIndexes;
  readonly entities: () => EntityView;
  readonly deviceId: () => string;
  readonly deleted: (type: string) => Promise<readonly StoredEntity[]>;
  readonly randomBytes: RandomBytes;
  readonly profile: ClearProfile;
  /** Edits together are all or nothing; otherwise there is one. */
  readonly submit: (edits: readonly Edit[], together: boolean) => Promise<TransactionResult>;
}

export function createCollections(options: CollectionsOptions) {
  const { observable } = options;
  const planners = new WeakMap<object, Planner>();
  const givenByType = new Map<string, UntypedOptions>();
  const kept = createKeptIndexes(options);

  function collection(type: string, given: UntypedOptions = {}) {
    const settings = readCollectionSettings(type, given);
    const difference = findDifference(givenByType.get(type) ?? given, given);
    // They would show, or sort, one entity in two ways.
    if (difference !== null) {
      throw new TypeError(
        `Cannot create the collection "${type}" once more: ${difference}; create it once, and import it`,
      );
    }
    givenByType.set(type, given);
    const shown = createCollectionView(settings, options.entities);
    const planner = createPlanner({ ...options, settings, shown });
    const made = {
      type,
      kinds: given.kinds ?? {},
      client: { loaded: options.loaded, transaction },
      ...bindEdits(planner, (plan) => storePlan(options, plan)),
      get: shown.get,
      list: shown.list,
      count: shown.count,
      sum: shown.sum,
      deleted: async () => shown.show(await options.deleted(type)),
      invalid: shown.invalid,
      settle: createSettle({ ...options, settings }),
      ...createSubscriptions(options, settings, shown, kept),
    };
    planners.set(made, planner);
    return made;
  }

  async function transaction(work: TransactionWork): Promise<TransactionResult> {
    const plans: EditPlan[] = [];
    let refused: RefusedEdit | null = null;
    let hasEnded = false;
    const add = (plan: EditPlan | RefusedEdit): string => {
      if (hasEnded) throw new TypeError("Cannot edit: the transaction has ended");
      if (plan.kind === "refused") refused ??= plan;
      else plans.push(plan);
      return plan.kind === "refused" ? "" : plan.id;
    };
    const edit = (of: object) => {
      const planner = planners.get(of);
      if (planner === undefined) throw new TypeError("Cannot edit: no collection of this client");
      return bindEdits(planner, add);
    };
    try {
      const result: unknown = work(edit);
      hasEnded = true;
      if (result instanceof Promise) {
        result.catch(() => {});
        throw new TypeError("Cannot edit: the transaction must not be asynchronous");
      }
      return (
        refused ??
        (await options.submit(
          plans.flatMap(({ edits }) => edits),
          true,
        ))
      );
    } finally {
      for (const { release } of plans) release();
    }
  }

  observable.onChange((entityIds) => () => {
    if (entityIds?.length === 0 && observable.activity().kind === "idle") kept.onIdle();
  });
  return { collection: collection as unknown as CreateCollection, transaction };
}

type Edits<T> = { [Name in keyof Planner]: (...given: Parameters<Planner[Name]>) => T };

/** The edits of a collection, whose plans go to `take`. */
function bindEdits<T>(planner: Planner, take: (plan: EditPlan | RefusedEdit) => T): Edits<T> {
  const methods = Object.entries(planner) as [
    string,
    (...given: unknown[]) => EditPlan | RefusedEdit,
  ][];
  const bound = methods.map(([name, plan]) => [
    name,
    (...given: unknown[]) => take(plan(...given)),
  ]);
  return Object.fromEntries(bound) as Edits<T>;
}

async function storePlan(
  { submit }: CollectionsOptions,
  plan: EditPlan | RefusedEdit,
): Promise<CollectionResult> {
  if (plan.kind === "refused") return plan;
  const { id, edits, release } = plan;
  try {
    // A move may write the keys of neighbours too: they need no push of their own.
    const result = await submit(edits, false);
    return result.kind === "stored" ? { ...toEditResult(result), id } : result;
  } finally {
    release();
  }
}

function createSubscriptions(
  { observable, isLoaded }: CollectionsOptions,
  settings: CollectionSettings,
  shown: ReturnType<typeof createCollectionView>,
  kept: KeptIndexes,
) {
  const { open, update } = shown;
  const all = createListeners();
  const keepIndex = (query: ReadQuery) => kept.keep(settings, shown, query);
  const queries = createLiveQueries({ shown, isLoaded, keepIndex });
  const byId = new Map<string, ReturnType<typeof createListeners>>();
  observable.onChange((entityIds) => {
    const changed = update(entityIds);
    const isChanged = entityIds?.some((id) => isOfType(id, settings.type)) === true;
    return () => {
      if (changed.length > 0) all.call();
      queries.call(isChanged);
      for (const id of changed) byId.get(id)?.call();
    };
  });
  return {
    query: queries.query,
    subscribe(listener: () => void): () => void {
      open();
      return all.subscribe(listener);
    },
    subscribeTo(id: string, listener: () => void): () => void {
      open();
      const listeners = byId.get(id) ?? createListeners();
      byId.set(id, listeners);
      const end = listeners.subscribe(listener);
      return () => {
        end();
        if (listeners.isEmpty() && byId.get(id) === listeners) byId.delete(id);
      };
    },
  };
}
