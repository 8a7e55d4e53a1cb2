/** Receipts of a push, and whether a device may go on from them. */
import { receiptsToPage } from "../../src/client/sync/push.ts";
import { createParsedOperation } from "../../test/fixtures/sync-operation.ts";
import type { VectorSource } from "./vector-file.ts";

interface Receipt {
  readonly cursor: string;
  readonly offset: number;
  readonly duplicate: boolean;
  readonly changed: boolean;
}

interface ReceiptInput {
  /** The offset at which the device stands; null when it does not know. */
  readonly offset: number | null;
  readonly receipts: readonly Receipt[];
}

export function createReceiptVectors(): VectorSource<ReceiptInput> {
  return {
    name: "sync-receipts",
    description:
      "Whether a device goes on from the receipts of its push: docs/protocol/sync.md, Pulling. `input.offset` is that of the device's last pull, null when that did not reach the head. `expected.place` is the cursor and the offset from which the device goes on, or null when it must pull.",
    inputs: RECEIPT_INPUTS,
    expect({ offset, receipts }) {
      const operations = receipts.map(() => createParsedOperation());
      const page = receiptsToPage(
        operations,
        receipts.map((one) => ({ ...one })),
        { offset },
      );
      return { place: page && { cursor: page.cursor, offset: page.offset } };
    },
    codes: [],
  };
}

function receipts(...offsets: readonly number[]): Receipt[] {
  return offsets.map((offset) => ({
    cursor: Buffer.from(`cursor ${offset}`).toString("base64url"),
    offset,
    duplicate: false,
    changed: true,
  }));
}

const again = receipts(8).map((receipt) => ({ ...receipt, duplicate: true, changed: false }));

const RECEIPT_INPUTS: Record<string, ReceiptInput> = {
  "one that follows": { offset: 7, receipts: receipts(8) },
  "several that follow": { offset: 7, receipts: receipts(8, 9, 10) },
  "the first of a log": { offset: 0, receipts: receipts(1) },
  "one that moved no register": {
    offset: 7,
    receipts: receipts(8).map((receipt) => ({ ...receipt, changed: false })),
  },
  "another device was before them": { offset: 7, receipts: receipts(9, 10) },
  "another device was between them": { offset: 7, receipts: receipts(8, 10) },
  "the server had one already": { offset: 7, receipts: [...again, ...receipts(9)] },
  "an offset behind the device": { offset: 7, receipts: receipts(7) },
  "the device does not know where it stands": { offset: null, receipts: receipts(1) },
};
