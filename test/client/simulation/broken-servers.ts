/** Servers with one defect each, of which a thief or a used-up storage makes the most. The simulation must notice every one. */
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";

export type Handle = (request: Request) => Promise<Response>;

export interface BrokenServer {
  readonly breakStore?: (store: SqlSyncStore) => SqlSyncStore;
  readonly breakHandle?: (handle: Handle, isUsedUp: () => Promise<boolean>) => Handle;
}

export const BROKEN_SERVERS = {
  "stores pushes without the proof of the key": {
    breakStore: (store) => ({
      ...store,
      operations: {
        ...store.operations,
        append: (pushed, now) =>
          store.operations.append(
            pushed.map(({ keyId: _keyId, ...operation }) => operation),
            now,
          ),
      },
    }),
  },

  "takes noise as the record of a key": {
    breakStore: (store) => ({
      ...store,
      keys: {
        ...store.keys,
        async add(record, proof) {
          let believed = proof;
          for await (const { keyId, write: writeHash } of store.keys.list()) {
            believed = { keyId, writeHash };
          }
          return store.keys.add(record, believed);
        },
      },
    }),
  },

  "counts the record of a key in the quota": {
    breakHandle: (handle, isUsedUp) => async (request) => {
      const isKey = request.method === "POST" && request.url.endsWith("/v1/keys");
      if (!isKey || !(await isUsedUp())) return handle(request);
      const error = { error: "quota_exceeded", message: "No", requestId: "12345678" };
      return Response.json(error, { status: 507 });
    },
  },
} as const satisfies Readonly<Record<string, BrokenServer>>;
