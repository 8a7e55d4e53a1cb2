/** Bills, of which an older build of the app has another shape: both builds edit one account for years. */
import type { CollectionResult, SyncClient } from "../../../src/client/index.ts";
import type { Dice } from "./dice.ts";
import type { BillCall, PlannedEdit } from "./planned-edit.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What both builds can do; only the newer one settles. */
export interface Bills {
  readonly isNew: boolean;
  create(fields: object, options: { readonly id: string }): Promise<CollectionResult>;
  patch(id: string, fields: object): Promise<CollectionResult>;
  remove(id: string): Promise<CollectionResult>;
  restore(id: string): Promise<CollectionResult>;
  list(): readonly (Fields & { readonly id: string })[];
  settle(): Promise<{ readonly settled: number }>;
}

const BILL_IDS = ["b0", "b1", "b2"] as const;

/** The older build counts whole euros, so that what is read of them is another amount than was given. */
const toEuros = (cents: number) => Math.floor(cents / 100);
export const toCents = (euros: number) => euros * 100;

export function openBills(client: SyncClient, isNew: boolean): Bills {
  const bills = isNew
    ? client.collection("bill", {
        indexes: ["cents"],
        evolve: {
          cents: {
            from: ["euros"],
            read: ({ euros }) => toCents(euros),
            write: (cents) => ({ euros: toEuros(cents) }),
          },
          payee: { from: ["who"], read: ({ who }) => who },
        },
      })
    : client.collection("bill");
  return { ...bills, isNew } as Bills;
}

const CALLS = { create: 25, patch: 55, remove: 10, restore: 10 } as const;

/** `number` is the edit's own. */
export function planBillEdit(dice: Dice, number: number, isNew: boolean): PlannedEdit {
  const bill = dice.weighted<BillCall>(CALLS);
  const edit = {
    entityId: `bill/${dice.pick(BILL_IDS)}`,
    metadata: {},
    isRefusable: false,
    invalid: null,
    bill,
  };
  switch (bill) {
    case "create":
    case "patch":
      return { ...edit, kind: bill, payload: planFields(dice, number, isNew) };
    case "remove":
      return { ...edit, kind: "delete", payload: {} };
    case "restore":
      return { ...edit, kind: "restore", payload: null };
  }
}

/** All that the operation must write: the newer build gives the older field too. */
function planFields(dice: Dice, number: number, isNew: boolean): Fields {
  const field = dice.pick(["amount", "amount", "name", "note"] as const);
  if (field === "note") return { note: `e${number}` };
  if (field === "name") return { [isNew ? "payee" : "who"]: `e${number}` };
  const cents = toCents(number) + 37;
  return isNew ? { euros: toEuros(cents), cents } : { euros: 1_000 + number };
}

export function callBill(
  bills: Bills,
  bill: BillCall,
  { entityId, payload }: PlannedEdit,
): Promise<CollectionResult> {
  const id = entityId.slice("bill/".length);
  const { cents } = payload ?? {};
  const given = cents === undefined ? (payload ?? {}) : { cents };
  switch (bill) {
    case "create":
      return bills.create(given, { id });
    case "patch":
      return bills.patch(id, given);
    case "remove":
    case "restore":
      return bills[bill](id);
  }
}
