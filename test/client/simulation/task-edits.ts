/** Edits of tasks: of every kind of field, alone and in transactions. */
import type { OrderPlace } from "../../../src/client/index.ts";
import type { Dice } from "./dice.ts";
import { needsNoEntity, type PlannedEdit, type TaskCall } from "./planned-edit.ts";
import { KEPT_TASK_IDS, TASK_IDS, type ShownTask, type TaskCalls } from "./tasks.ts";

/** What the server, or a proxy before it, does not take. */
export interface TransactionLimits {
  readonly maxOperations: number;
  /** Null when nothing is before the server. */
  readonly proxyBytes: number | null;
  /** Whether the server refuses tasks. */
  readonly isRefusable: boolean;
}

const CALLS = {
  create: 20,
  patch: 14,
  increment: 26,
  addTo: 12,
  removeFrom: 6,
  move: 14,
  remove: 4,
  restore: 4,
} as const;
/** Each of these is one operation of known content. */
const JOINED_CALLS = { ...CALLS, move: 0, restore: 0 } as const;
const ELEMENTS = ["home", "at sea", "50 %/ü"] as const;
const PROJECTS = ["garden", "house"] as const;
/** As many fit the server but not the proxy. */
const LARGE = 6;

/** `number` is the edit's own. */
export function planTaskEdit(
  dice: Dice,
  number: number,
  isRefusable: boolean,
  name: TaskCall["name"] = dice.weighted(CALLS),
): PlannedEdit {
  const isEnd = name === "remove" || name === "restore";
  const ids = isEnd ? TASK_IDS.filter((id) => !KEPT_TASK_IDS.includes(id)) : TASK_IDS;
  const edit = { entityId: `task/${dice.pick(ids)}`, metadata: {}, isRefusable, invalid: null };
  const title = `e${number}`;
  switch (name) {
    case "create":
    case "patch": {
      const payload = dice.chance(50) ? { title } : { title, project: dice.pick(PROJECTS) };
      const decided = name === "create" ? ({ decided: "position" } as const) : {};
      return { ...edit, kind: name, payload, call: { name }, ...decided };
    }
    case "remove":
      return { ...edit, kind: "delete", payload: {}, call: { name } };
    case "restore":
      return { ...edit, kind: "restore", payload: null, call: { name } };
    case "increment": {
      // Sums of few such numbers differ, so that a count tells what was added.
      const by = 1 + (Math.imul(number + 1, 2_654_435_761) >>> 12);
      return { ...edit, kind: "patch", payload: {}, call: { name, by }, decided: "spent" };
    }
    case "addTo":
    case "removeFrom": {
      const element = dice.pick(ELEMENTS);
      const payload = { [`tags/${encodeURIComponent(element)}`]: name === "addTo" || null };
      return { ...edit, kind: "patch", payload, call: { name, element } };
    }
    case "move": {
      const call = { name, place: planPlace(dice, edit.entityId) } as const;
      return { ...edit, kind: "patch", payload: {}, call, decided: "position" };
    }
  }
}

function planPlace(dice: Dice, entityId: string): OrderPlace {
  const neighbour = dice.pick(TASK_IDS.filter((id) => `task/${id}` !== entityId));
  return dice.pick<OrderPlace>([
    { first: true },
    { last: true },
    { before: neighbour },
    { after: neighbour },
  ]);
}

/** `number` is that of the first edit. A setting is among those that the server refuses only for the others. */
export function planTransaction(
  dice: Dice,
  number: number,
  limits: TransactionLimits,
  isVisible: (entityId: string) => boolean,
): readonly PlannedEdit[] {
  if (dice.chance(40)) return planPair(number, limits, isVisible);
  const isLarge = limits.proxyBytes !== null && dice.chance(30);
  const size = Math.min(limits.maxOperations, isLarge ? LARGE : dice.between(2, 3));
  const isRefusable = limits.isRefusable || isLarge;
  // A count that follows a refused one includes it, also when that is discarded.
  const calls = { ...JOINED_CALLS, ...(isRefusable && { increment: 0 }) };
  /** By the edits before it in the transaction. */
  const shownBefore = new Map<string, boolean>();
  const edits = Array.from({ length: size }, (_, index) => {
    const any = planTaskEdit(dice, number + index, isRefusable, dice.weighted(calls));
    const { entityId } = any;
    const isThere = shownBefore.get(entityId) ?? isVisible(entityId);
    const name = isThere ? "patch" : "create";
    const planned =
      isThere === needsNoEntity(any)
        ? { ...planTaskEdit(dice, number + index, isRefusable, name), entityId }
        : any;
    shownBefore.set(entityId, planned.kind !== "delete");
    return planned;
  });
  const name = isVisible("setting/s0") ? "patch" : "create";
  const setting: PlannedEdit = {
    kind: name,
    entityId: "setting/s0",
    payload: { value: `e${number}` },
    metadata: {},
    isRefusable,
    invalid: null,
    call: { name },
  };
  const joined = limits.isRefusable ? [setting, ...edits.slice(1)] : edits;
  return joined.map((edit) => ({ ...edit, group: number }));
}

/** Two settings that every device changes together, to the same value. */
export const PAIR = ["pair/a", "pair/b"] as const;

function planPair(
  number: number,
  { isRefusable }: TransactionLimits,
  isVisible: (entityId: string) => boolean,
): readonly PlannedEdit[] {
  return PAIR.map((entityId) => {
    const name = isVisible(entityId) ? "patch" : "create";
    const payload = { value: `e${number}` };
    const edit = {
      kind: name,
      entityId,
      payload,
      metadata: {},
      isRefusable,
      invalid: null,
    } as const;
    return { ...edit, call: { name }, group: number };
  });
}

export function callTask<Result>(
  tasks: TaskCalls<Result>,
  { call, entityId, payload }: PlannedEdit,
): Result {
  const id = entityId.slice(entityId.indexOf("/") + 1);
  switch (call?.name) {
    case undefined:
    case "create":
      return tasks.create(payload ?? {}, { id });
    case "patch":
      return tasks.patch(id, payload ?? {});
    case "remove":
      return tasks.remove(id);
    case "restore":
      return tasks.restore(id);
    case "increment":
      return tasks.increment(id, "spent", call.by);
    case "addTo":
      return tasks.addTo(id, "tags", call.element);
    case "removeFrom":
      return tasks.removeFrom(id, "tags", call.element);
    case "move":
      return tasks.move(id, call.place);
  }
}

/** Whether the task lies where it was asked to, when the others are as they were before; else null. */
export function isMoved(
  id: string,
  place: OrderPlace,
  before: readonly ShownTask[],
  after: readonly ShownTask[],
): boolean | null {
  const others = after.filter((one) => one.id !== id);
  const were = before.filter((one) => one.id !== id);
  const keys = new Set(were.map(({ position }) => position));
  const isSame =
    others.length === were.length &&
    others.every((one, at) => one.id === were[at]?.id) &&
    (keys.size < were.length || others.every((one, at) => one.position === were[at]?.position));
  if (!isSame) return null;
  const at = after.findIndex((one) => one.id === id);
  if ("first" in place) return at === 0;
  if ("last" in place) return at === after.length - 1;
  return "after" in place ? after[at - 1]?.id === place.after : after[at + 1]?.id === place.before;
}
