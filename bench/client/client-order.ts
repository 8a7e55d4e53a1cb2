/** What a client is measured at. */
import type { SyncStorage } from "../../src/client/index.ts";
import { signInOnPage } from "../sync/sync-server.ts";
import { makeEdits } from "./edits.ts";
import { openClient, signInWith, syncFirst } from "./open-client.ts";

export type ClientOrder =
  | {
      readonly kind: "edits";
      readonly count: number;
      readonly isTogether: boolean;
      readonly port?: undefined;
    }
  | { readonly kind: "first-sync"; readonly count: number; readonly port: number };

/** A client, signed in where the order needs it, and the work to be measured. */
export async function prepareOrder(storage: SyncStorage, order: ClientOrder) {
  const client = await openClient(storage, order.port);
  if (order.kind === "edits") {
    return { client, work: () => makeEdits(client, order.count, order.isTogether) };
  }
  await signInWith(client, signInOnPage);
  return { client, work: () => syncFirst(client, order.count) };
}
