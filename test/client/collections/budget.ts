/** Transactions of a budget, in the shape of an older app and in today's. */
import { createSchema } from "./task.ts";
import type { SyncClient } from "../../../src/client/index.ts";

export interface Tx {
  cents: number;
  payee?: string;
  note?: string;
}

export const Tx = createSchema<Tx, Tx>(({ cents, payee, note }) => {
  const issues = [
    ...(Number.isInteger(cents) ? [] : [{ path: ["cents"], message: "must be whole cents" }]),
    ...(payee === undefined || typeof payee === "string"
      ? []
      : [{ path: ["payee"], message: "must be text" }]),
    ...(note === undefined || typeof note === "string"
      ? []
      : [{ path: ["note"], message: "must be text" }]),
  ];
  if (issues.length > 0) return { issues };
  const present = Object.entries({ cents, payee, note }).filter(([, value]) => value !== undefined);
  return { value: Object.fromEntries(present) as unknown as Tx };
});

/** How an older app had it. */
export interface OldTx {
  amount: number;
  who?: string;
  note?: string;
}

export const openOld = (client: SyncClient) => client.collection<OldTx>("tx");

export const openNew = (client: SyncClient) =>
  client.collection("tx", {
    schema: Tx,
    indexes: ["cents"],
    evolve: {
      cents: {
        from: ["amount"],
        read: ({ amount }) => Math.round(amount * 100),
        write: (cents) => ({ amount: cents / 100 }),
      },
      payee: { from: ["who"], read: ({ who }) => who },
    },
  });
