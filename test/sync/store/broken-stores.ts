/** Stores with one defect each, and the case that must detect it. */
import { setImmediate } from "node:timers/promises";
import type { ChallengeRecord } from "../../../src/identity/identity-records.ts";
import type { AccountKey } from "../../../src/contract/sync/schemas.ts";
import { createMark } from "../../../src/sync/log/cursor.ts";
import { joinOperations, readKeys, textsOf } from "../../../store-contract/read-store.ts";
import type {
  AccessGrant,
  AccountKeyStore,
  NewOperation,
  OperationStore,
  StoreWatch,
  SyncRecords,
  SyncStore,
} from "../../../src/sync/store.ts";

export interface BrokenStore {
  readonly defect: string;
  /** The name of the case that must fail. */
  readonly detectedBy: string;
  /** `opening` counts from 0 how often the place was opened. */
  breakStore(store: SyncStore, opening: number): SyncStore;
}

const withOperations = (store: SyncStore, operations: Partial<OperationStore>): SyncStore => ({
  ...store,
  operations: { ...store.operations, ...operations },
});

const withKeys = (store: SyncStore, keys: Partial<AccountKeyStore>): SyncStore => ({
  ...store,
  keys: { ...store.keys, ...keys },
});

const NOTHING: NewOperation = { text: "", operationId: "", entityId: "", state: "" };

/** Pages as full as the limit allows, read one operation at a time. */
function readFilled({ operations }: SyncStore): OperationStore["page"] {
  return async (after, limit) => {
    let page = await operations.page(after, 1);
    const texts = textsOf(page);
    while (texts.length < limit && page.lastOffset < page.headOffset) {
      page = { ...(await operations.page(page.lastOffset, 1)), afterMark: page.afterMark };
      texts.push(...textsOf(page));
    }
    return { ...page, ...joinOperations(texts) };
  };
}

function addWatcher(watchers: Set<() => void>, onChange: () => void): StoreWatch {
  watchers.add(onChange);
  return { close: async () => void watchers.delete(onChange) };
}

/** The store, with some methods of one kind of records changed. */
function breakRecords<Part extends "identity" | "sessions" | "browserSessions" | "log" | "streams">(
  store: SyncStore,
  part: Part,
  change: (records: SyncRecords[Part]) => Partial<SyncRecords[Part]>,
): SyncStore {
  return {
    ...store,
    transaction: (work) =>
      store.transaction((records) =>
        work({ ...records, [part]: { ...records[part], ...change(records[part]) } }),
      ),
  };
}

const BROWSER_SESSION = {
  accountId: "account-of-anna",
  username: "anna",
  createdAt: 0,
  idleExpiresAt: 0,
  absoluteExpiresAt: 0,
  browser: null,
  system: null,
};

export const BROKEN_STORES: readonly BrokenStore[] = [
  {
    defect: "finds browser sessions that have expired",
    detectedBy:
      "a browser session is found by its hash until it expires, and longer when it was touched",
    breakStore: (store) => ({
      ...store,
      findBrowserSession: (hash, now) => store.findBrowserSession(hash, now - 1),
    }),
  },
  {
    defect: "says in a transaction that a browser session is live when it has expired",
    detectedBy:
      "a browser session is found by its hash until it expires, and longer when it was touched",
    breakStore: (store) =>
      breakRecords(store, "browserSessions", ({ isLive }) => ({
        isLive: (hash, now) => isLive(hash, now - 1),
      })),
  },
  {
    defect: "keeps the browser sessions of an account that ends all",
    detectedBy: "browser sessions are closed one by one, or all of an account",
    breakStore: (store) =>
      breakRecords(store, "browserSessions", () => ({ closeAll: async () => 2 })),
  },
  {
    defect: "prunes no browser sessions",
    detectedBy: "pruning removes expired browser sessions alone",
    breakStore: (store) => ({ ...store, prune: async () => {} }),
  },
  {
    defect: "lists the browser sessions of every account",
    detectedBy: "the live browser sessions of an account are listed, newest first",
    breakStore: (store) =>
      breakRecords(store, "browserSessions", ({ list }) => ({
        list: (_account, now) => list("account-of-anna", now),
      })),
  },
  {
    defect: "counts refusals of all networks together",
    detectedBy: "refusals of one network are counted together until their window ends",
    breakStore: (store) =>
      breakRecords(store, "identity", ({ noteSignIn }) => ({
        noteSignIn: (account, signIn, bounds) =>
          noteSignIn(account, { ...signIn, network: null }, bounds),
      })),
  },
  {
    defect: "lets a flood of refusals evict sign-ins",
    detectedBy:
      "a flood of refusals evicts refusals alone, and sign-ins evict sign-ins, whatever the clock says",
    breakStore: (store) =>
      breakRecords(store, "identity", ({ listSignIns }) => ({
        listSignIns: async (account) =>
          (await listSignIns(account)).filter(({ result }) => result === "refused"),
      })),
  },
  {
    defect: "keeps the history of sign-ins for ever",
    detectedBy: "pruning removes what is older than 90 days from the history",
    breakStore: (store) => ({ ...store, prune: async () => {} }),
  },
  {
    defect: "keeps the sessions of an account that is removed",
    detectedBy:
      "an account is removed with everything that belongs to it, but the counts of events",
    breakStore: (store) => ({
      ...store,
      findBrowserSession: async (hash) =>
        (await store.hasAccount()) ? null : { ...BROWSER_SESSION, sessionHash: hash },
    }),
  },
  {
    defect: "goes on with the generation of a log that was cleared",
    detectedBy:
      "a cleared log is empty, begins a generation, and has neither old offsets nor a memory",
    breakStore: (store) =>
      withOperations(store, {
        head: async () => ({ ...(await store.operations.head()), generation: "the first" }),
      }),
  },
  {
    defect: "takes a push that arrives after the deletion",
    detectedBy: "a push or a key that was on its way when everything was deleted stores nothing",
    breakStore: (store) =>
      withOperations(store, {
        async append(operations, now) {
          const result = await store.operations.append(operations, now);
          return result.kind === "cleared"
            ? { kind: "stored", generation: "", receipts: [] }
            : result;
        },
      }),
  },
  {
    defect: "clears the log although the deletion fails",
    detectedBy: "a deletion that throws deletes nothing",
    breakStore: (store) =>
      breakRecords(store, "log", () => ({
        async clear() {
          void store.transaction(({ log }) => log.clear());
        },
      })),
  },
  {
    defect: "forgets the name of a device that signs in again",
    detectedBy: "a device keeps the name that it was given when it signs in again",
    breakStore: (store) =>
      breakRecords(store, "sessions", ({ open, nameDevice }) => ({
        async open(session, name) {
          await nameDevice(session.deviceId, null);
          await open(session, name);
        },
      })),
  },
  {
    defect: "stores no name of an app",
    detectedBy: "a device has the name that its app gave it, until its owner names it",
    breakStore: (store) =>
      breakRecords(store, "sessions", ({ open }) => ({ open: (session) => open(session) })),
  },
  {
    defect: "counts repeated operations",
    detectedBy: "operations are counted by day, without repetitions and in spite of compaction",
    breakStore(store) {
      const counts = new Map<number, number>();
      return withOperations(
        {
          ...store,
          readUsage: async (from) => ({
            ...(await store.readUsage(from)),
            days: [...counts].map(([startsAt, operations]) => ({ startsAt, operations })),
          }),
        },
        {
          append(operations, now) {
            const day = now - (now % 86_400_000);
            counts.set(day, (counts.get(day) ?? 0) + operations.length);
            return store.operations.append(operations, now);
          },
        },
      );
    },
  },
  {
    defect: "tells of appended operations alone",
    detectedBy:
      "a watch tells of appended operations, new keys and ended sessions in time, until it is closed",
    breakStore(store) {
      const watchers = new Set<() => void>();
      return withOperations(
        { ...store, watch: (onChange) => addWatcher(watchers, onChange) },
        {
          async append(operations, now) {
            const result = await store.operations.append(operations, now);
            for (const watcher of watchers) watcher();
            return result;
          },
        },
      );
    },
  },
  {
    defect: "tells of the changes of its own process alone",
    detectedBy: "a watch tells of what another process appends and which sessions it ends",
    breakStore: (store) => ({ ...store, watch: () => ({ close: async () => {} }) }),
  },
  {
    defect: "goes on telling when a watch is closed",
    detectedBy:
      "a watch tells of appended operations, new keys and ended sessions in time, until it is closed",
    breakStore: (store) => ({
      ...store,
      watch(onChange) {
        store.watch(onChange);
        return { close: async () => {} };
      },
    }),
  },
  {
    defect: "lists the families of sessions that have expired",
    detectedBy: "the listed families are those of the sessions that are alive",
    breakStore: (store) => ({ ...store, listFamilies: (now) => store.listFamilies(now - 5000) }),
  },
  {
    defect: "limits the streams of a device alone",
    detectedBy: "streams are opened up to the limits of a device and of the instance",
    breakStore: (store) =>
      breakRecords(store, "streams", ({ open }) => ({
        open: (stream, opening) =>
          open(stream, { ...opening, limits: { ...opening.limits, perInstance: 1e6 } }),
      })),
  },
  {
    defect: "limits the streams of all devices alone",
    detectedBy: "streams are opened up to the limits of a device and of the instance",
    breakStore: (store) =>
      breakRecords(store, "streams", ({ open }) => ({
        open: (stream, opening) =>
          open(stream, { ...opening, limits: { ...opening.limits, perDevice: 1e6 } }),
      })),
  },
  {
    defect: "counts streams that have expired",
    detectedBy: "a stream counts until it expires, and one that is renewed longer",
    breakStore: (store) =>
      breakRecords(store, "streams", ({ open }) => ({
        open: (stream, opening) => open(stream, { ...opening, now: 0 }),
      })),
  },
  {
    defect: "renews no stream",
    detectedBy: "a stream counts until it expires, and one that is renewed longer",
    breakStore: (store) => breakRecords(store, "streams", () => ({ renew: async () => {} })),
  },
  {
    defect: "limits the streams of each process apart",
    detectedBy: "with two processes, streams that are opened at once keep the limits together",
    breakStore: (store, opening) =>
      breakRecords(store, "streams", ({ open }) => ({
        open: (stream, given) =>
          open({ ...stream, deviceId: `${opening} ${stream.deviceId}` }, given),
      })),
  },
  {
    defect: "keeps the changes of a failed transaction",
    detectedBy: "a transaction that throws changes nothing",
    breakStore: (store) => ({
      ...store,
      transaction: async (work) => {
        const result = await store.transaction((records) =>
          work(records).then(
            (result) => ({ result }),
            (error: unknown) => ({ error }),
          ),
        );
        if ("error" in result) throw result.error;
        return result.result;
      },
    }),
  },
  {
    defect: "lets a code be consumed twice",
    detectedBy: "of parallel uses of a secret, one is the first",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        consumeSecret: async (...key) => {
          const use = await identity.consumeSecret(...key);
          return use && { ...use, usedBefore: null };
        },
      })),
  },
  {
    defect: "keeps a link that was revoked",
    detectedBy:
      "secrets that were not used are found and listed by purpose, and removed one by one",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        removeSecret: async (...key) => (await identity.findSecret(...key)) !== null,
      })),
  },
  {
    defect: "counts security events anew after a restart",
    detectedBy: "security events are counted by kind, across pruning and a restart",
    breakStore: (store, opening) =>
      breakRecords(store, "identity", (identity) => ({
        listSecurityCounts: async () => (opening > 0 ? [] : identity.listSecurityCounts()),
      })),
  },
  {
    defect: "evicts challenges by their time",
    detectedBy: "of too many challenges, those that were added last stay, whatever the clock says",
    breakStore(store) {
      // Evicts the oldest by the clock before the store would evict the first.
      const live: ChallengeRecord[] = [];
      return {
        ...store,
        transaction: (work) =>
          store.transaction((records) =>
            work({
              ...records,
              identity: {
                ...records.identity,
                async addChallenge(challenge, { maxLive }) {
                  live.push(challenge);
                  live.sort((a, b) => b.createdAt - a.createdAt);
                  for (const { challengeId } of live.splice(maxLive)) {
                    await records.identity.takeChallenge(challengeId);
                    if (challengeId === challenge.challengeId) return;
                  }
                  await records.identity.addChallenge(challenge, { maxLive: 1000, maxKnown: 1000 });
                },
              },
            }),
          ),
      };
    },
  },
  {
    defect: "has one eviction order for all clients",
    detectedBy: "of too many challenges, the client that has most loses one",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        addChallenge: (challenge, bounds) => {
          const client = { ...challenge.client, groups: ["", "", ""] as const };
          return identity.addChallenge({ ...challenge, client }, bounds);
        },
      })),
  },
  {
    defect: "evicts from the client that has most, whatever its network has",
    detectedBy:
      "of too many challenges, the widest group that has most loses one, whatever its parts have",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        addChallenge: (challenge, bounds) => {
          const own = challenge.client.groups[2];
          const client = { ...challenge.client, groups: [own, own, own] as const };
          return identity.addChallenge({ ...challenge, client }, bounds);
        },
      })),
  },
  {
    defect: "evicts challenges of known browsers as those of all clients",
    detectedBy: "known browsers lose no challenge to other clients, and have a bounded number",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        addChallenge: (challenge, bounds) => {
          const client = { ...challenge.client, isKnown: false };
          return identity.addChallenge({ ...challenge, client }, bounds);
        },
      })),
  },
  {
    defect: "forgets a browser's token when it gives out the next one",
    detectedBy: "a browser keeps its token until it comes back with a later one",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        addKnownBrowser: async (browser, bounds) => {
          await identity.addKnownBrowser(browser, bounds);
          const { hash, expiresAt } = browser;
          for (const added of await identity.findKnownBrowsers([hash], expiresAt - 1)) {
            await identity.confirmKnownBrowser(added, bounds);
          }
        },
      })),
  },
  {
    defect: "takes a browser that used a link for one that has signed in",
    detectedBy: "a known browser is found with its account until it expires",
    breakStore: (store) =>
      breakRecords(store, "identity", (identity) => ({
        addKnownBrowser: (browser, bounds) =>
          identity.addKnownBrowser({ ...browser, hasSignedIn: true }, bounds),
      })),
  },
  {
    defect: "counts browsers that came back with those that did not",
    detectedBy:
      "new browsers evict none that came back, and of too many of these the least recent goes",
    breakStore: (store) =>
      breakRecords(store, "identity", () => ({ confirmKnownBrowser: async () => {} })),
  },
  {
    defect: "caches tokens of revoked sessions",
    detectedBy: "a revoked session and its tokens are invalid at once",
    breakStore(store) {
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
    defect: "accepts tokens at their expiry time",
    detectedBy: "an access token expires exactly at its time, or with its session",
    breakStore: (store) => ({
      ...store,
      findAccess: (hash, now) => store.findAccess(hash, now - 1),
    }),
  },
  {
    defect: "stores the operations before a conflict",
    detectedBy: "an id with other content is a conflict, and nothing of the batch is stored",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind === "conflict") {
            await store.operations.append(batch.slice(0, result.indexes[0]), now);
          }
          return result;
        },
      }),
  },
  {
    defect: "names only the first conflict",
    detectedBy: "an id with other content is a conflict, and nothing of the batch is stored",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          return result.kind === "conflict"
            ? { ...result, indexes: result.indexes.slice(0, 1) }
            : result;
        },
      }),
  },
  {
    defect: "stores sequence jumps",
    detectedBy: "an empty log takes any first sequence up to 2^40, and goes on in steps of 2^20",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind !== "sequence-jump") return result;
          return { kind: "stored", generation: "g", receipts: [] };
        },
      }),
  },
  {
    defect: "stores what a batch with a sequence jump has before it",
    detectedBy: "a batch with sequence jumps stores nothing, and the result names each of them",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind === "sequence-jump") {
            await store.operations.append(batch.slice(0, result.indexes[0]), now);
          }
          return result;
        },
      }),
  },
  {
    defect: "forgets the clock of the log at a restart",
    detectedBy: "the clock of the log survives a restart",
    breakStore: (store, opening) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind !== "sequence-jump" || opening === 0) return result;
          return { kind: "stored", generation: "g", receipts: [] };
        },
      }),
  },
  {
    defect: "stores operations one by one, so that readers see half a batch",
    detectedBy:
      "of different contents for one id that are appended at once, one is stored and the others conflict",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const receipts = [];
          let generation = "";
          for (const [index, operation] of batch.entries()) {
            const result = await store.operations.append([operation], now);
            if (result.kind !== "stored") return { ...result, indexes: [index] };
            receipts.push(...result.receipts);
            generation = result.generation;
          }
          return { kind: "stored", generation, receipts };
        },
      }),
  },
  {
    defect: "restarts its offsets after a restart",
    detectedBy: "offsets are never reused, not even after a restart",
    breakStore: (store, opening) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind !== "stored") return result;
          const receipts = result.receipts.map((receipt) => ({
            ...receipt,
            offset: receipt.offset - opening,
          }));
          return { ...result, receipts };
        },
      }),
  },
  {
    defect: "reads the head after the page, so that a reader skips the operations between",
    detectedBy: "a reader beside writers pulls every operation once, in the order of offsets",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          await setImmediate();
          const head = await store.operations.head();
          return page.count < limit
            ? { ...page, ...head, lastOffset: Math.max(after, head.headOffset) }
            : { ...page, ...head };
        },
      }),
  },
  {
    defect: "marks each operation, so that a cursor inside an append is lost",
    detectedBy: "every append has a mark of its own, which all of its offsets have",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind !== "stored") return result;
          return {
            ...result,
            receipts: result.receipts.map((r) => ({ ...r, mark: createMark(null) })),
          };
        },
      }),
  },
  {
    defect: "forgets the name of the history with a restart",
    detectedBy: "the marks of appends begin with the name of the history, also after a restart",
    breakStore: (store, opening) =>
      breakRecords(store, "log", (log) => ({
        readHistory: async () => (opening > 0 ? null : log.readHistory()),
      })),
  },
  {
    defect: "begins no generation",
    detectedBy: "a new generation keeps the log, and its offsets go on",
    breakStore: (store) => breakRecords(store, "log", () => ({ async beginGeneration() {} })),
  },
  {
    defect: "marks every append alike",
    detectedBy: "every append has a mark of its own, which all of its offsets have",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind !== "stored") return result;
          return {
            ...result,
            receipts: result.receipts.map((r) => ({ ...r, mark: "AAAAAAAAAAA" })),
          };
        },
      }),
  },
  {
    defect: "gives a page inside an append the mark of the append before",
    detectedBy: "every append has a mark of its own, which all of its offsets have",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          return page.count === 1 ? { ...page, lastMark: page.afterMark ?? "" } : page;
        },
      }),
  },
  {
    defect: "marks a replay anew",
    detectedBy: "replays have the marks of their first append, and make none",
    breakStore: (store) =>
      withOperations(store, {
        async append(batch, now) {
          const result = await store.operations.append(batch, now);
          if (result.kind !== "stored") return result;
          const { mark } = await store.operations.head();
          return { ...result, receipts: result.receipts.map((r) => ({ ...r, mark })) };
        },
      }),
  },
  {
    defect: "forgets its marks at a restart",
    detectedBy: "marks survive a restart",
    breakStore: (store, opening) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          return opening > 0 ? { ...page, afterMark: null } : page;
        },
      }),
  },
  {
    defect: "forgets the marks of compacted operations",
    detectedBy: "compaction changes no mark",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          const isThere = (await store.operations.page(after - 1, 1)).lastOffset === after;
          return isThere ? page : { ...page, afterMark: null };
        },
      }),
  },
  {
    defect: "fills its pages without regard to pushes",
    detectedBy:
      "a page ends at the end of a push where its limit allows, and says when it does not",
    breakStore: (store) => withOperations(store, { page: readFilled(store) }),
  },
  {
    defect: "does not say that a page ends inside a push",
    detectedBy:
      "a page ends at the end of a push where its limit allows, and says when it does not",
    breakStore: (store) =>
      withOperations(store, {
        page: async (after, limit) => ({
          ...(await store.operations.page(after, limit)),
          endsInside: false,
        }),
      }),
  },
  {
    defect: "takes a push for one that goes on when compaction has removed its last operation",
    detectedBy: "what compaction leaves of a push is whole too",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          const rest = await store.operations.page(page.lastOffset, 1);
          return { ...page, endsInside: rest.lastOffset > page.lastOffset + 1 };
        },
      }),
  },
  {
    defect: "ends a page that is not full before the head",
    detectedBy: "pages lead across compacted operations to the head",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          return page.count === 0 ? { ...page, lastOffset: after } : page;
        },
      }),
  },
  {
    defect: "parses and prints operations again",
    detectedBy: "texts and values are stored exactly, also numbers beyond doubles",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          const texts = textsOf(page).map((text) => JSON.stringify(JSON.parse(text)));
          return { ...page, ...joinOperations(texts) };
        },
      }),
  },
  {
    defect: "reads a snapshot in parts, each at another moment",
    detectedBy: "a snapshot is of one moment, and blocks no writer",
    breakStore: (store) =>
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
    defect: "orders a snapshot by locale",
    detectedBy: "a snapshot is ordered by the code units of entity ids",
    breakStore: (store) =>
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
    defect: "lets a stranger replace the account's key",
    detectedBy: "a key follows only the account's key, by who proves that",
    breakStore: (store) =>
      withKeys(store, {
        async add(record, proof) {
          const result = await store.keys.add(record, proof);
          return result.kind === "unknown" ? { kind: "added", keyId: record.keyId } : result;
        },
      }),
  },
  {
    defect: "adds a record that is repeated once more",
    detectedBy: "a record that is repeated is taken without a proof, and another of its id is not",
    breakStore: (store) =>
      withKeys(store, {
        async add(record, proof) {
          const result = await store.keys.add(record, proof);
          return result.kind === "repeated" ? { ...result, kind: "added" } : result;
        },
      }),
  },
  {
    defect: "takes pushes under a key that was replaced",
    detectedBy:
      "sealed operations are stored for who proves the account's key, and others store nothing",
    breakStore: (store) =>
      withOperations(store, {
        async append(operations, now, proof) {
          const result = await store.operations.append(operations, now, proof);
          const { keyId: _, ...clear } = operations[0] ?? NOTHING;
          return result.kind === "key-replaced" ? store.operations.append([clear], now) : result;
        },
      }),
  },
  {
    defect: "tells the first key for ever",
    detectedBy: "keys are listed as they were added, and pages and the head tell the last one",
    breakStore: (store) =>
      withOperations(store, {
        async page(after, limit) {
          const page = await store.operations.page(after, limit);
          const [first] = await readKeys(store);
          return { ...page, keyId: first?.keyId ?? null };
        },
      }),
  },
  {
    defect: "keeps the keys of an account that was deleted",
    detectedBy:
      "a cleared log is empty, begins a generation, and has neither old offsets nor a memory",
    breakStore: (store) => {
      const added: AccountKey[] = [];
      return withKeys(store, {
        add(record, proof) {
          added.push(record);
          return store.keys.add(record, proof);
        },
        async *list() {
          yield* added;
        },
      });
    },
  },
  {
    defect: "prunes live sessions",
    detectedBy: "pruning keeps records until they expire",
    breakStore: (store) => ({ ...store, prune: (now) => store.prune(now + 1) }),
  },
];
