/** What bills must show in today's shape: whichever of two fields was written last, by the merge of the oracle. */
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { toCents, type Bills } from "./bills.ts";
import type { EditHistory, EditRecord } from "./edit-history.ts";
import { changesOf, isGreater, type Expected } from "./expected-merge.ts";

type BillList = ReturnType<Bills["list"]>;

/** By the name of its device: what the newer build lists there. */
export function checkBills(
  expected: Expected,
  lists: ReadonlyMap<string, BillList>,
  isKnown: (entityId: string) => boolean,
): string[] {
  const wanted = showBills(expected).filter(({ id }) => isKnown(`bill/${id}`));
  return [...lists].flatMap(([name, list]) => {
    const found = list.filter(({ id }) => isKnown(`bill/${id}`)).map((bill) => ({ ...bill }));
    if (isDeepStrictEqual(found, wanted)) return [];
    return [`${name} shows bills as ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  });
}

function showBills(expected: Expected): BillList {
  const bills = [...expected].flatMap(([entityId, { lifecycle, deletion, deleted, fields }]) => {
    if (!entityId.startsWith("bill/") || lifecycle === null || deleted) return [];
    const find = (name: string) => {
      const register = fields.get(`payload ${name}`);
      const isHidden =
        register !== undefined && deletion !== null && isGreater(deletion, register.revision);
      return isHidden ? undefined : register;
    };
    const latest = (today: string, older: string, read: (value: unknown) => unknown) => {
      const [own, other] = [find(today), find(older)];
      const isRead = other !== undefined && isGreater(other.revision, own?.revision ?? null);
      const value = isRead ? read(other.value) : own?.value;
      return value === undefined ? {} : { [today]: value };
    };
    const note = find("note");
    return [
      {
        ...latest("cents", "euros", (euros) => toCents(Number(euros))),
        ...latest("payee", "who", (who) => who),
        ...(note !== undefined && { note: note.value }),
        id: entityId.slice("bill/".length),
      },
    ];
  });
  return bills.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** A settle has no plan: it writes evolved fields alone, with what an edit of an older build shows as. */
export function findSettle(
  { records, settling }: EditHistory,
  operation: Operation,
  deviceName: string,
): EditRecord | null {
  const { kind, document } = operation;
  const { payload } = changesOf(operation);
  const { cents, payee, ...others } = payload;
  const wasGiven = (value: unknown, field: string, read = (older: unknown) => older) =>
    value === undefined ||
    records.some(({ payload: given }) => given !== null && read(given[field]) === value);
  const isSettle =
    kind === "patch" &&
    document.entityId.startsWith("bill/") &&
    settling.has(deviceName) &&
    Object.keys(others).length === 0 &&
    wasGiven(cents, "euros", (euros) => toCents(Number(euros))) &&
    wasGiven(payee, "who");
  return isSettle
    ? {
        kind,
        entityId: document.entityId,
        payload,
        metadata: {},
        isRefusable: false,
        invalid: null,
        number: -1,
        deviceName,
        replacedKeyIds: new Set(),
        result: null,
        broughtBack: null,
      }
    : null;
}
