import type {
  Operation,
  SnapshotEntity,
  SnapshotRegister,
} from "../../../src/contract/sync/operation.ts";
import type { SyncStore } from "../../../src/sync/store.ts";
import {
  pathOf,
  type BrokenResponse,
  changeOk,
  changeQuery,
  queryValue,
  readAnswer,
  type Body,
} from "./break.ts";
import { changeBody, handlePost, okLike, type SyncBreak } from "./sync-break.ts";

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

/** Asks for another page than the one that was asked for. */
function changePullQuery(edit: (query: URLSearchParams) => void): BrokenResponse {
  return (exchange, { honest }) =>
    honest(pathOf(exchange) === PULL ? changeQuery(exchange, edit) : exchange);
}

/** Forgives what clients should be told. */
function hideReason(reason: string): BrokenResponse {
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

/** Changes what a push means before it is stored. */
function changeKinds(edit: (operation: Operation) => Operation): BrokenResponse {
  return changeBody("/v1/push", (body) => ({
    ...body,
    operations: (body["operations"] as Operation[]).map(edit),
  }));
}

/** Revisions count nothing: whoever comes last is right. */
function lastComerWins(honest: SyncStore): SyncStore {
  let sequence = 1_000_000;
  return {
    ...honest,
    operations: {
      ...honest.operations,
      append: (operations, now) =>
        honest.operations.append(
          operations.map((operation) => ({
            ...operation,
            state: withSequence(operation.state, ++sequence),
          })),
          now,
        ),
    },
  };
}

/** The state of an operation as if it had another sequence. */
function withSequence(state: string, sequence: number): string {
  return state.replace(/(?<=^\[1,"[^"]*",\[\[)\d+/, String(sequence));
}

export const SYNC_BREAKS_OF_PULL: readonly SyncBreak[] = [
  {
    name: "says whether there is more",
    caughtBy: ["pull-answers-exactly-its-members"],
    answer: changePage((page) => ({ ...page, hasMore: false })),
  },
  {
    name: "has a reason to recover when nothing is wrong",
    caughtBy: ["pull-answers-exactly-its-members"],
    answer: changePage((page) => ({ ...page, recoveryReason: "cursor_ahead" })),
  },
  {
    name: "leaves the last operation of a page out",
    caughtBy: ["pull-pages-reach-the-head"],
    answer: changePage((page) =>
      page.operations.length > 1 ? { ...page, operations: page.operations.slice(0, -1) } : page,
    ),
  },
  {
    name: "sends a page in another order",
    caughtBy: ["pull-pages-reach-the-head"],
    answer: changePage((page) => ({ ...page, operations: page.operations.toReversed() })),
  },
  {
    name: "sends the last operation of a page again",
    caughtBy: ["pull-pages-reach-the-head"],
    answer: changePage((page) => {
      if (page.operations.length < 2) return page;
      const { offset } = JSON.parse(Buffer.from(page.cursor, "base64url").toString()) as {
        offset: number;
      };
      return offset < page.headOffset
        ? { ...page, cursor: moveCursor(page.cursor, offset - 1) }
        : page;
    }),
  },
  {
    name: "begins at the head",
    caughtBy: ["pull-begins-at-the-beginning", "pull-answers-exactly-its-members"],
    answer: async (exchange, context) => {
      if (pathOf(exchange) !== PULL || queryValue(exchange, "cursor") !== null) {
        return context.honest(exchange);
      }
      return changePage((page) => ({
        ...page,
        operations: [],
        cursor: moveCursor(page.cursor, page.headOffset),
      }))(exchange, context);
    },
  },
  {
    name: "sends fifty operations when nobody says how many",
    caughtBy: ["pull-has-a-default-limit"],
    answer: changePullQuery((query) => {
      if (!query.has("limit")) query.set("limit", "50");
    }),
  },
  {
    name: "parses operations and prints them again",
    caughtBy: ["pushed-operations-come-back-unchanged"],
    answer: changePage((page) => page),
  },
  {
    name: "parses values and prints them again in a snapshot",
    caughtBy: ["pushed-operations-come-back-unchanged"],
    answer: changeSnapshot((snapshot) => snapshot),
  },
  {
    name: "starts anew silently when it cannot read a cursor",
    caughtBy: ["malformed-cursors-are-refused"],
    answer: async (exchange, { honest }) => {
      const answer = await honest(exchange);
      return pathOf(exchange) === PULL && answer.status === 400
        ? honest(changeQuery(exchange, (query) => query.delete("cursor")))
        : answer;
    },
  },
  {
    name: "reads a cursor in any spelling",
    caughtBy: ["malformed-cursors-are-refused"],
    answer: changePullQuery((query) => {
      const cursor = query.get("cursor");
      if (cursor === null) return;
      try {
        const place = JSON.parse(Buffer.from(cursor, "base64url").toString()) as Body;
        const { version, generation, offset } = place;
        const text = JSON.stringify({ version, generation, offset });
        query.set("cursor", Buffer.from(text).toString("base64url"));
      } catch {
        // It stays as it came.
      }
    }),
  },
  {
    name: "does not notice that the store was restored",
    caughtBy: ["cursors-of-another-generation-start-anew"],
    answer: hideReason("generation_changed"),
  },
  {
    name: "does not notice a cursor beyond its head",
    caughtBy: ["cursors-ahead-start-anew"],
    answer: hideReason("cursor_ahead"),
  },
  {
    name: "sends a snapshot in the order of arrival",
    caughtBy: ["snapshot-has-exactly-its-members"],
    answer: changeSnapshot((snapshot) => ({
      ...snapshot,
      entities: snapshot.entities.toReversed(),
    })),
  },
  {
    name: "shows how a state is stored",
    caughtBy: ["snapshot-has-exactly-its-members", "create-makes-every-field-visible"],
    answer: changeSnapshot(({ entities, ...rest }) => ({
      ...rest,
      entities: entities.map((entity) => ({ ...entity, rowId: 1 })),
    })),
  },
  {
    name: "gives a snapshot the cursor of the beginning",
    caughtBy: ["snapshot-cursor-continues-the-log"],
    answer: changeSnapshot((snapshot) => ({ ...snapshot, cursor: moveCursor(snapshot.cursor, 0) })),
  },
  {
    name: "forgets metadata",
    caughtBy: ["create-makes-every-field-visible", "fields-from-before-a-create-are-hidden"],
    answer: changeSnapshot(({ entities, ...rest }) => ({
      ...rest,
      entities: entities.map((entity) => ({ ...entity, metadataFields: {} })),
    })),
  },
  {
    name: "takes everything in a patch for changed",
    caughtBy: ["patch-changes-only-what-it-names"],
    answer: changeKinds((operation) =>
      operation.kind === "patch"
        ? { ...operation, changedFields: Object.keys(operation.document.payload ?? {}) }
        : operation,
    ),
  },
  {
    name: "lets the last comer win",
    caughtBy: [
      "greater-revisions-win",
      "stale-creates-do-not-revive",
      "any-order-gives-the-same-state",
      "receipts-follow-the-operations",
    ],
    store: lastComerWins,
  },
  {
    name: "lets a stale create revive what was deleted",
    caughtBy: ["stale-creates-do-not-revive"],
    createAnswer: () => {
      const revived = new Set<string>();
      const push = handlePost("/v1/push", (body, ask) => {
        for (const { kind, document } of body["operations"] as Operation[]) {
          if (kind === "delete") revived.delete(document.entityId);
          else revived.add(document.entityId);
        }
        return ask(body);
      });
      const snapshot = changeSnapshot(({ entities, ...rest }) => ({
        ...rest,
        entities: entities.map((entity) =>
          revived.has(entity.entityId) ? { ...entity, deleted: false } : entity,
        ),
      }));
      return (exchange, context) =>
        exchange.method === "POST" ? push(exchange, context) : snapshot(exchange, context);
    },
  },
  {
    name: "never revives what was deleted",
    caughtBy: ["any-order-gives-the-same-state", "restore-brings-an-entity-back"],
    createAnswer: () => {
      const deleted = new Set<string>();
      const push = handlePost("/v1/push", (body, ask) => {
        for (const { kind, document } of body["operations"] as Operation[]) {
          if (kind === "delete") deleted.add(document.entityId);
        }
        return ask(body);
      });
      const snapshot = changeSnapshot(({ entities, ...rest }) => ({
        ...rest,
        entities: entities.map((entity) =>
          deleted.has(entity.entityId) ? { ...entity, deleted: true } : entity,
        ),
      }));
      return (exchange, context) =>
        exchange.method === "POST" ? push(exchange, context) : snapshot(exchange, context);
    },
  },
  {
    name: "leaves deleted entities out of a snapshot",
    caughtBy: ["delete-leaves-a-tombstone", "stale-creates-do-not-revive"],
    answer: changeSnapshot(({ entities, ...rest }) => ({
      ...rest,
      entities: entities.filter(({ deleted }) => !deleted),
    })),
  },
  {
    name: "does not know how to restore",
    caughtBy: ["restore-brings-an-entity-back"],
    answer: changeKinds((operation) =>
      operation.kind === "restore" ? { ...operation, kind: "patch" } : operation,
    ),
  },
  {
    name: "drops a patch that comes before its create",
    caughtBy: ["patches-wait-for-their-create"],
    createAnswer: () => {
      const known = new Set<string>();
      return handlePost("/v1/push", async (body, ask) => {
        const operations = body["operations"] as Operation[];
        const kept = operations.filter(({ kind, document }) => {
          if (kind !== "patch") known.add(document.entityId);
          return known.has(document.entityId);
        });
        const answer = await ask({ operations: kept });
        if (kept.length === operations.length) return answer;
        const stored = { receipts: [] as unknown[] };
        if (answer.status === 200) Object.assign(stored, JSON.parse(await readAnswer(answer)));
        const receipt = { cursor: "none", offset: 1, duplicate: false, changed: false };
        const missing = operations.length - kept.length;
        const receipts = [...stored.receipts, ...Array.from({ length: missing }, () => receipt)];
        return okLike(answer, { receipts });
      });
    },
  },
  {
    name: "shows fields from before a create",
    caughtBy: ["fields-from-before-a-create-are-hidden"],
    createAnswer: () => {
      const seen = new Map<string, Record<string, SnapshotRegister>>();
      const push = handlePost("/v1/push", (body, ask) => {
        for (const { document, revision, changedMetadataFields } of body[
          "operations"
        ] as Operation[]) {
          const registers = seen.get(document.entityId) ?? {};
          for (const name of changedMetadataFields) {
            registers[name] = { value: document[name], revision };
          }
          seen.set(document.entityId, registers);
        }
        return ask(body);
      });
      const snapshot = changeSnapshot(({ entities, ...rest }) => ({
        ...rest,
        entities: entities.map((entity) => ({
          ...entity,
          metadataFields: { ...seen.get(entity.entityId), ...entity.metadataFields },
        })),
      }));
      return (exchange, context) =>
        exchange.method === "POST" ? push(exchange, context) : snapshot(exchange, context);
    },
  },
];
