/** Stores that each break one promise, and the case that must notice. */
import { setImmediate } from "node:timers/promises";
import type { AccessGrant, OperationStore, SyncStore } from "../../../src/sync/store.ts";

export interface BrokenStore {
  readonly fault: string;
  /** The name of the case that must fail. */
  readonly noticedBy: string;
  /** `opening` counts from 0 how often the place was opened. */
  spoil(store: SyncStore, opening: number): SyncStore;
}

const withOperations = (store: SyncStore, operations: Partial<OperationStore>): SyncStore => ({
  ...store,
  operations: { ...store.operations, ...operations },
});

export const BROKEN_STORES: readonly BrokenStore[] = [
  {
    fault: "keeps what a failed transaction did",
    noticedBy: "a transaction that throws leaves nothing behind",
    spoil: (store) => ({
      ...store,
      transaction: async (work) => {
        const outcome = await store.transaction((records) =>
          work(records).then(
            (result) => ({ result }),
            (error: unknown) => ({ error }),
          ),
        );
        if ("error" in outcome) throw outcome.error;
        return outcome.result;
      },
    }),
  },
  {
    fault: "lets a code be burned twice",
    noticedBy: "of parallel uses of a secret one is the first",
    spoil: (store) => ({
      ...store,
      transaction: (work) =>
        store.transaction((records) =>
          work({
            ...records,
            identity: {
              ...records.identity,
              consumeSecret: async (...key) => {
                const use = await records.identity.consumeSecret(...key);
                return use && { ...use, usedBefore: null };
              },
            },
          }),
        ),
    }),
  },
  {
    fault: "remembers tokens of revoked sessions",
    noticedBy: "a revoked session ends with its tokens at once",
    spoil(store) {
      const found = new Map<string, AccessGrant>();
      return {
        ...store,
        async findAccess(hash, now) {
          const grant = found.get(hash) ?? (await store.findAccess(hash, now));
          if (grant !== null) found.set(hash, grant);
          return grant !== null && now < grant.accessExpiresAt ? grant : null;
        },
      };
    },
  },
  {
    fault: "lets tokens live at the moment of their end",
    noticedBy: "an access token ends at its very moment, and with its session",
    spoil: (store) => ({
      ...store,
      findAccess: (hash, now) => store.findAccess(hash, now - 1),
    }),
  },
  {
    fault: "stores what stands before a conflict",
    noticedBy: "an id with other content is a conflict, and nothing of the batch is stored",
    spoil: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const outcome = await store.operations.append(batch, now);
          if (outcome.kind === "conflict" && outcome.index > 0) {
            await store.operations.append(batch.slice(0, outcome.index), now);
          }
          return outcome;
        },
      }),
  },
  {
    fault: "stores operations one by one, so that others come between and a reader sees halves",
    noticedBy: "of two contents for one id that come at once, one is stored and one is a conflict",
    spoil: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const receipts = [];
          let generation = "";
          for (const [index, operation] of batch.entries()) {
            const outcome = await store.operations.append([operation], now);
            if (outcome.kind === "conflict") return { kind: "conflict", index };
            receipts.push(...outcome.receipts);
            generation = outcome.generation;
          }
          return { kind: "stored", generation, receipts };
        },
      }),
  },
  {
    fault: "begins offsets anew after a restart",
    noticedBy: "offsets are never used again, not after a restart either",
    spoil: (store, opening) =>
      withOperations(store, {
        async append(batch, now) {
          const outcome = await store.operations.append(batch, now);
          if (outcome.kind === "conflict") return outcome;
          const receipts = outcome.receipts.map((receipt) => ({
            ...receipt,
            offset: receipt.offset - opening,
          }));
          return { ...outcome, receipts };
        },
      }),
  },
  {
    fault: "reads the head after the page, so that a reader skips what came between",
    noticedBy: "a reader beside writers sees every operation once, in the order of offsets",
    spoil: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          await setImmediate();
          const head = await store.operations.head();
          return page.texts.length < limit
            ? { ...page, ...head, lastOffset: Math.max(after, head.headOffset) }
            : { ...page, ...head };
        },
      }),
  },
  {
    fault: "keeps a page that is not full from reaching the head",
    noticedBy: "pages lead over dropped operations to the head",
    spoil: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          return page.texts.length === 0 ? { ...page, lastOffset: after } : page;
        },
      }),
  },
  {
    fault: "parses and prints operations again",
    noticedBy: "texts and values are kept to the letter, numbers beyond doubles too",
    spoil: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          const texts = page.texts.map((text) => JSON.stringify(JSON.parse(text)));
          return { ...page, texts };
        },
      }),
  },
  {
    fault: "takes a snapshot in parts, each of its own moment",
    noticedBy: "a snapshot is of one moment, and whoever writes meanwhile is not held up",
    spoil: (store) =>
      withOperations(store, {
        async *snapshot() {
          const head = await store.operations.head();
          for (let start = 0; ; start += 100) {
            const items = [];
            for await (const { state } of store.operations.snapshot()) items.push({ head, state });
            yield* items.slice(start, start + 100);
            if (items.length <= start + 100) return;
          }
        },
      }),
  },
  {
    fault: "orders a snapshot as people do",
    noticedBy: "a snapshot is ordered by the code units of entity ids",
    spoil: (store) =>
      withOperations(store, {
        async *snapshot() {
          const items = [];
          for await (const item of store.operations.snapshot()) items.push(item);
          const { compare } = new Intl.Collator("en", { numeric: true });
          yield* items.sort((a, b) => compare(a.state ?? "", b.state ?? ""));
        },
      }),
  },
  {
    fault: "prunes sessions while they live",
    noticedBy: "pruning leaves what still counts",
    spoil: (store) => ({ ...store, prune: (now) => store.prune(now + 1) }),
  },
];
