import { INSIDE_PUSH, PAGE_HEADER } from "../../../src/contract/sync/page-header.ts";
import type { Operation, SnapshotEntity } from "../../../src/contract/sync/operation.ts";
import { compareRevisions } from "../../../src/rules/sync/operation.ts";
import type { SyncStore } from "../../../src/sync/store.ts";
import {
  pathOf,
  type BrokenResponder,
  changeOk,
  changeQuery,
  queryValue,
  readResponseBody,
  withHeader,
  withoutHeader,
  type Body,
  toBreaks,
} from "./break.ts";
import { joinOperations, textsOf } from "../../../store-contract/read-store.ts";
import { changeBody, changeOperations, handlePost, okLike, type SyncBreak } from "./sync-break.ts";

const PULL = "/v1/pull";
const SNAPSHOT = "/v1/snapshot";

interface Page extends Body {
  operations: Operation[];
  cursor: string;
  headOffset: number;
  recoveryReason: string;
}

interface Snapshot {
  schemaVersion: 1;
  cursor: string;
  entities: SnapshotEntity[];
}

const changePage = (edit: (page: Page) => Page | object) => changeOk<Page>(PULL, edit);
const changeSnapshot = (edit: (snapshot: Snapshot) => Snapshot | object) =>
  changeOk<Snapshot>(SNAPSHOT, edit);

const changeEntities = (edit: (entity: SnapshotEntity) => object) =>
  changeSnapshot(({ entities, ...rest }) => ({ ...rest, entities: entities.map(edit) }));

/** The registers that are not older than the last create, delete or restore. */
function fromLifecycle(
  { lifecycleRevision }: SnapshotEntity,
  registers: SnapshotEntity["metadataFields"],
): SnapshotEntity["metadataFields"] {
  const kept = Object.entries(registers).filter(
    ([, { revision }]) =>
      lifecycleRevision === null || compareRevisions(revision, lifecycleRevision) >= 0,
  );
  return Object.fromEntries(kept);
}

/** Asks for another page than the one that was asked for. */
function changePullQuery(edit: (query: URLSearchParams) => void): BrokenResponder {
  return (request, { real }) =>
    real(pathOf(request) === PULL ? changeQuery(request, edit) : request);
}

/** Pages as full as the limit allows: whatever ends inside a push is followed by more of it. */
function fillPages(read: SyncStore["operations"]["page"]): SyncStore["operations"]["page"] {
  return async (after, limit) => {
    const page = await read(after, limit);
    const room = limit - page.count;
    if (room === 0 || page.lastOffset >= page.headOffset) return page;
    const next = await read(page.lastOffset, room);
    const texts = [page, next].flatMap(textsOf);
    return { ...next, ...joinOperations(texts), afterMark: page.afterMark };
  };
}

/** Forgives what clients should be told. */
function hideReason(reason: string): BrokenResponder {
  return changePage((page) =>
    page.recoveryReason === reason
      ? { ...page, requiresSnapshot: false, recoveryReason: "none" }
      : page,
  );
}

function moveCursor(cursor: string, offset: number): string {
  const place = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as Body;
  return Buffer.from(JSON.stringify({ ...place, offset })).toString("base64url");
}

function generationOf(cursor: string): unknown {
  return (JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as Body)["generation"];
}

/** Changes what a push means before it is stored. */
function changeKinds(edit: (operation: Operation) => Operation): BrokenResponder {
  return changeBody("/v1/push", (body) => ({
    ...body,
    operations: (body["operations"] as Operation[]).map(edit),
  }));
}

/** Ignores revisions: the last write wins. */
const lastComerWins = changeOperations((real) => {
  let sequence = 1_000_000;
  return {
    append: (operations, now) =>
      real.append(
        operations.map((operation) => ({
          ...operation,
          state: withSequence(operation.state, ++sequence),
        })),
        now,
      ),
  };
});

/** The state of an operation as if it had another sequence. */
function withSequence(state: string, sequence: number): string {
  return state.replace(/(?<=^\[1,"[^"]*",\[\[)\d+/, String(sequence));
}

export const SYNC_BREAKS_OF_PULL = toBreaks<SyncBreak>({
  "pull-answers-exactly-its-members": {
    "says whether there is more": changePage((page) => ({ ...page, hasMore: false })),
    "has a reason to recover when nothing is wrong": changePage((page) => ({
      ...page,
      recoveryReason: "cursor_ahead",
    })),
  },
  "pull-pages-reach-the-head": {
    "leaves the last operation of a page out": changePage((page) =>
      page.operations.length > 1 ? { ...page, operations: page.operations.slice(0, -1) } : page,
    ),
    "sends a page in another order": changePage((page) => ({
      ...page,
      operations: page.operations.toReversed(),
    })),
    "sends the last operation of a page again": changePage((page) => {
      if (page.operations.length < 2) return page;
      const { offset } = JSON.parse(Buffer.from(page.cursor, "base64url").toString()) as {
        offset: number;
      };
      return offset < page.headOffset
        ? { ...page, cursor: moveCursor(page.cursor, offset - 1) }
        : page;
    }),
  },
  "pages-end-with-pushes": {
    "fills a page without regard to pushes": changeOperations(({ page }) => ({
      page: fillPages(page),
    })),
  },
  "pages-inside-a-push-say-so": {
    "does not say that a page ends inside a push": async (request, { real }) =>
      withoutHeader(await real(request), PAGE_HEADER),
    "says of every page that it ends inside a push": async (request, { real }) => {
      const response = await real(request);
      return pathOf(request) === PULL ? withHeader(response, PAGE_HEADER, INSIDE_PUSH) : response;
    },
  },
  "page-header-can-be-read-by-configured-origins": {
    "hides from scripts where a page ends": async (request, { real }) =>
      withHeader(
        await real(request),
        "Access-Control-Expose-Headers",
        "Retry-After, Trellis-Refused, X-Request-Id",
      ),
  },
  "pull-begins-at-the-beginning, pull-answers-exactly-its-members": {
    "begins at the head": async (request, context) => {
      if (pathOf(request) !== PULL || queryValue(request, "cursor") !== null) {
        return context.real(request);
      }
      return changePage((page) => ({
        ...page,
        operations: [],
        cursor: moveCursor(page.cursor, page.headOffset),
      }))(request, context);
    },
  },
  "pull-has-a-default-limit": {
    "sends fifty operations without a limit": changePullQuery((query) => {
      if (!query.has("limit")) query.set("limit", "50");
    }),
  },
  "pushed-operations-come-back-unchanged": {
    "parses operations and prints them again": changePage((page) => page),
    "parses values and prints them again in a snapshot": changeSnapshot((snapshot) => snapshot),
  },
  "malformed-cursors-are-refused": {
    "starts anew silently when it cannot read a cursor": async (request, { real }) => {
      const response = await real(request);
      return pathOf(request) === PULL && response.status === 400
        ? real(changeQuery(request, (query) => query.delete("cursor")))
        : response;
    },
    "reads a cursor in any spelling": changePullQuery((query) => {
      const cursor = query.get("cursor");
      if (cursor === null) return;
      try {
        const place = JSON.parse(Buffer.from(cursor, "base64url").toString()) as Body;
        const { version, generation, offset, mark } = place;
        const text = JSON.stringify({ version, generation, offset, mark });
        query.set("cursor", Buffer.from(text).toString("base64url"));
      } catch {
        // It stays as it came.
      }
    }),
  },
  "cursors-of-another-generation-start-anew, cursors-of-another-history-start-anew": {
    "does not notice that the store was restored": hideReason("generation_changed"),
  },
  "cursors-of-another-history-start-anew": {
    "does not notice that its folder was rolled back": (request, context) => {
      const cursor = queryValue(request, "cursor");
      return changePage((page) =>
        cursor !== null && generationOf(cursor) === generationOf(page.cursor)
          ? { ...page, requiresSnapshot: false, recoveryReason: "none" }
          : page,
      )(request, context);
    },
  },
  "cursors-inside-a-push-continue": {
    "knows the marks of whole pushes alone": changeOperations((real) => ({
      async page(after, limit) {
        const page = await real.page(after, limit);
        const next = await real.page(after, 1);
        const isInside = next.count > 0 && next.lastMark === page.afterMark;
        return isInside ? { ...page, afterMark: null } : page;
      },
    })),
    "marks replays with the newest commit": changeOperations((real) => ({
      async append(operations, now) {
        const result = await real.append(operations, now);
        if (result.kind !== "stored") return result;
        const { mark } = await real.head();
        return { ...result, receipts: result.receipts.map((receipt) => ({ ...receipt, mark })) };
      },
    })),
  },
  "cursors-ahead-start-anew": {
    "does not notice a cursor beyond its head": hideReason("cursor_ahead"),
  },
  "snapshot-has-exactly-its-members": {
    "sends a snapshot in the order of arrival": changeSnapshot((snapshot) => ({
      ...snapshot,
      entities: snapshot.entities.toReversed(),
    })),
  },
  "snapshot-has-exactly-its-members, create-makes-every-field-visible": {
    "shows how a state is stored": changeEntities((entity) => ({ ...entity, rowId: 1 })),
  },
  "snapshot-cursor-continues-the-log": {
    "gives a snapshot the cursor of the beginning": changeSnapshot((snapshot) => ({
      ...snapshot,
      cursor: moveCursor(snapshot.cursor, 0),
    })),
  },
  "create-makes-every-field-visible, two-creates-keep-the-fields-of-both": {
    "forgets metadata": changeEntities((entity) => ({ ...entity, metadataFields: {} })),
  },
  "patch-changes-only-what-it-names": {
    "takes everything in a patch for changed": changeKinds((operation) =>
      operation.kind === "patch"
        ? { ...operation, changedFields: Object.keys(operation.document.payload ?? {}) }
        : operation,
    ),
  },
  "greater-revisions-win, stale-creates-do-not-revive, any-order-gives-the-same-state, receipts-follow-the-operations":
    {
      "lets the last comer win": lastComerWins,
    },
  "stale-creates-do-not-revive": {
    "lets a stale create revive what was deleted": {
      createResponder: () => {
        const revived = new Set<string>();
        const push = handlePost("/v1/push", (body, ask) => {
          for (const { kind, document } of body["operations"] as Operation[]) {
            if (kind === "delete") revived.delete(document.entityId);
            else revived.add(document.entityId);
          }
          return ask(body);
        });
        const snapshot = changeEntities((entity) =>
          revived.has(entity.entityId) ? { ...entity, deleted: false } : entity,
        );
        return (request, context) =>
          request.method === "POST" ? push(request, context) : snapshot(request, context);
      },
    },
  },
  "any-order-gives-the-same-state, restore-brings-an-entity-back": {
    "never revives what was deleted": {
      createResponder: () => {
        const deleted = new Set<string>();
        const push = handlePost("/v1/push", (body, ask) => {
          for (const { kind, document } of body["operations"] as Operation[]) {
            if (kind === "delete") deleted.add(document.entityId);
          }
          return ask(body);
        });
        const snapshot = changeEntities((entity) =>
          deleted.has(entity.entityId) ? { ...entity, deleted: true } : entity,
        );
        return (request, context) =>
          request.method === "POST" ? push(request, context) : snapshot(request, context);
      },
    },
  },
  "delete-leaves-a-tombstone, stale-creates-do-not-revive": {
    "leaves deleted entities out of a snapshot": changeSnapshot(({ entities, ...rest }) => ({
      ...rest,
      entities: entities.filter(({ deleted }) => !deleted),
    })),
  },
  "restore-brings-an-entity-back": {
    "does not know how to restore": changeKinds((operation) =>
      operation.kind === "restore" ? { ...operation, kind: "patch" } : operation,
    ),
  },
  "patches-wait-for-their-create": {
    "drops a patch that comes before its create": {
      createResponder: () => {
        const known = new Set<string>();
        return handlePost("/v1/push", async (body, ask) => {
          const operations = body["operations"] as Operation[];
          const kept = operations.filter(({ kind, document }) => {
            if (kind !== "patch") known.add(document.entityId);
            return known.has(document.entityId);
          });
          const response = await ask({ operations: kept });
          if (kept.length === operations.length) return response;
          const stored = { receipts: [] as unknown[] };
          if (response.status === 200)
            Object.assign(stored, JSON.parse(await readResponseBody(response)));
          const receipt = { cursor: "none", offset: 1, duplicate: false, changed: false };
          const missing = operations.length - kept.length;
          const receipts = [...stored.receipts, ...Array.from({ length: missing }, () => receipt)];
          return okLike(response, { receipts });
        });
      },
    },
  },
  "two-creates-keep-the-fields-of-both, fields-from-before-a-delete-are-told-apart, delete-leaves-a-tombstone":
    {
      "forgets the fields of the other create": changeEntities((entity) => ({
        ...entity,
        payloadFields: fromLifecycle(entity, entity.payloadFields),
        metadataFields: fromLifecycle(entity, entity.metadataFields),
      })),
    },
  "any-order-gives-the-same-state, fields-from-before-a-delete-are-told-apart": {
    "forgets the last delete once the entity lives again": changeEntities((entity) =>
      entity.deleted ? entity : { ...entity, deletedRevision: null },
    ),
  },
});
