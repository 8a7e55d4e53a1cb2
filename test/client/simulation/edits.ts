/** The edits of a simulation: few entities, so that devices meet, and values that are never repeated. */
import type { EditResult, Fields } from "../../../src/client/index.ts";
import type { OperationKind } from "../../../src/contract/sync/operation-limits.ts";
import type { SyncProfile } from "../../../src/contract/sync/operation-limits.ts";
import { callBill, planBillEdit, type Bills } from "./bills.ts";
import type { Dice } from "./dice.ts";
import { needsEntity, needsNoEntity, type PlannedEdit } from "./planned-edit.ts";
import type { RunningApp } from "./simulated-device.ts";
import { callTask, planTaskEdit } from "./task-edits.ts";
import type { TaskCalls, TaskResult } from "./tasks.ts";

/** The rules of the two sides. */
export interface Profiles {
  readonly client: SyncProfile;
  readonly server: SyncProfile;
}

export const PROFILES: readonly Profiles[] = [
  { client: "open", server: "open" },
  { client: "open", server: "open" },
  { client: "habits", server: "habits" },
  // An app that is newer than its server.
  { client: "open", server: "habits" },
];

const KINDS = { create: 30, patch: 45, delete: 13, restore: 12 } as const;

type IsVisible = (entityId: string) => boolean;

/** An edit of what is not there, or a create of what is, is refused and proves little. */
const MAX_TRIES = 3;
/** Where there are bills. */
const BILL_PERCENT = 60;

/** `number` is the edit's own. */
export function planEdit(
  dice: Dice,
  profiles: Profiles,
  number: number,
  isVisible: IsVisible,
  bills: Bills | null,
): PlannedEdit {
  const isBill = bills !== null && dice.chance(BILL_PERCENT);
  for (let tries = 1; ; tries++) {
    const planned = isBill
      ? planBillEdit(dice, number, bills.isNew)
      : planAny(dice, profiles, number);
    const isVain = isVisible(planned.entityId) ? needsNoEntity(planned) : needsEntity(planned);
    if (tries === MAX_TRIES || !isVain) return planned;
  }
}

function planAny(dice: Dice, profiles: Profiles, number: number): PlannedEdit {
  if (profiles.client === "open" && dice.chance(profiles.server === "open" ? 55 : 15)) {
    return planTaskEdit(dice, number, profiles.server !== "open");
  }
  const kind = dice.weighted(KINDS);
  const planned = planFields(dice, profiles, kind, number);
  const isBare = kind === "restore" && planned.invalid === null && dice.chance(50);
  return isBare ? planBareRestore(planned.entityId, profiles) : planned;
}

/** It carries all that the device holds, also what the server has yet to refuse. */
export function planBareRestore(entityId: string, { client, server }: Profiles): PlannedEdit {
  const isRefusable = client !== server;
  return { kind: "restore", entityId, payload: null, metadata: {}, isRefusable, invalid: null };
}

function planFields(
  dice: Dice,
  profiles: Profiles,
  kind: OperationKind,
  number: number,
): PlannedEdit & { readonly payload: Fields } {
  const value = `e${number}`;
  const metadata: Fields =
    kind === "delete" || dice.chance(70) ? {} : { [dice.pick(["color", "place"])]: value };
  if (dice.chance(3) && kind !== "delete") {
    const payload = { password: value };
    const invalid = "secret_name";
    return { kind, entityId: "note/1", payload, metadata, isRefusable: false, invalid };
  }
  const planned = { kind, metadata, isRefusable: false, invalid: null };
  const isWhole = kind !== "patch";
  if (profiles.client === "habits") {
    const id = `h${dice.below(3)}`;
    if (dice.chance(30)) return { ...planned, ...settingEdit(dice, value) };
    const payload = kind === "delete" ? {} : habitPayload(dice, id, value, isWhole);
    return { ...planned, entityId: `habit/${id}`, payload };
  }
  if (profiles.server === "habits") {
    if (dice.chance(75)) return { ...planned, ...settingEdit(dice, value) };
    return { ...planned, ...refusableEdit(dice, kind, value) };
  }
  const entityId = `note/${dice.below(5)}`;
  // Devices that create one id at once have fields which the others lack.
  const fields = ["title", "text", "done"].filter(() => dice.chance(50));
  const payload = Object.fromEntries(fields.map((field) => [field, value]));
  const isEmpty = fields.length === 0 && Object.keys(metadata).length === 0;
  return { ...planned, entityId, payload: isEmpty ? { title: value } : payload };
}

function settingEdit(dice: Dice, value: string) {
  return { entityId: `setting/s${dice.below(3)}`, payload: { value: { value } } };
}

/** Of a type that the server does not know, or with a field that it does not allow. */
function refusableEdit(dice: Dice, kind: OperationKind, value: string) {
  const isRefusable = true;
  if (dice.chance(50) || kind === "delete") {
    return { entityId: `note/${dice.below(2)}`, payload: { title: value }, isRefusable };
  }
  const { entityId, payload } = settingEdit(dice, value);
  return { entityId, payload: { ...payload, extra: value }, isRefusable };
}

function habitPayload(dice: Dice, id: string, value: string, isWhole: boolean): Fields {
  if (!isWhole) return { [dice.pick(["name", "category", "description"])]: value };
  return {
    id,
    name: value,
    color: "#ff0000",
    icon: "drop",
    category: value,
    description: value,
    frequency: "daily",
    targetCount: 1,
    isActive: true,
    createdAt: "2026-08-21T10:00:00Z",
  };
}

export function applyEdit(
  { client, tasks, bills }: Pick<RunningApp, "client" | "tasks" | "bills">,
  edit: PlannedEdit,
): Promise<EditResult> {
  if (edit.call !== undefined) return callTask(tasks as TaskCalls<TaskResult>, edit);
  if (edit.bill !== undefined && bills !== null) return callBill(bills, edit.bill, edit);
  const { kind, entityId, payload, metadata } = edit;
  switch (kind) {
    case "create":
      return client.create(entityId, payload ?? {}, metadata);
    case "patch":
      return client.patch(entityId, payload ?? {}, metadata);
    case "delete":
      return client.remove(entityId);
    case "restore":
      return client.restore(entityId, payload ?? undefined, metadata);
  }
}
