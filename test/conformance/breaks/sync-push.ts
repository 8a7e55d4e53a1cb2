import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { Receipt } from "../../../src/contract/sync/schemas.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import { editBody, type BrokenResponse, changeOk, readAnswer, type Body } from "./break.ts";
import {
  changeBody,
  changeError,
  errorLike,
  handlePost,
  okLike,
  type SyncBreak,
} from "./sync-break.ts";

const PUSH = "/v1/push";

type Receipts = { receipts: Receipt[] };

const operationsOf = (body: Body) => (body["operations"] ?? []) as Operation[];

/** Reads other operations than those that came. */
function changeOperations(edit: (operation: Operation) => unknown): BrokenResponse {
  return changeBody(PUSH, (body) =>
    Array.isArray(body["operations"])
      ? {
          ...body,
          operations: body["operations"].map((operation: unknown) =>
            isOperation(operation) ? edit(operation) : operation,
          ),
        }
      : body,
  );
}

function isOperation(value: unknown): value is Operation {
  const { document } = (value ?? {}) as Partial<Operation>;
  return typeof document === "object" && document !== null && !Array.isArray(document);
}

function receiptsFor(answer: HttpResponse, operations: readonly unknown[]): HttpResponse {
  const receipt = { cursor: "none", offset: 1, duplicate: false, changed: true };
  return okLike(answer, { receipts: operations.map(() => receipt) });
}

/** Lets an operation pass that breaks one rule. */
function overlook(rule: RegExp): BrokenResponse {
  return handlePost(PUSH, async (body, ask) => {
    const answer = await ask(body);
    if (answer.status !== 400) return answer;
    const { message } = JSON.parse(await readAnswer(answer)) as { message: string };
    return rule.test(message) ? receiptsFor(answer, operationsOf(body)) : answer;
  });
}

export const SYNC_BREAKS_OF_PUSH: readonly SyncBreak[] = [
  {
    name: "names the operation in its receipt",
    caughtBy: ["push-answers-a-receipt-for-each"],
    answer: changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, operationId: "none" })),
    })),
  },
  {
    name: "answers the receipts in another order",
    caughtBy: ["push-answers-a-receipt-for-each", "receipts-follow-the-operations"],
    answer: changeOk<Receipts>(PUSH, ({ receipts }) => ({ receipts: receipts.toReversed() })),
  },
  {
    name: "says of everything that it changed something",
    caughtBy: ["receipts-follow-the-operations", "replays-are-duplicates", "greater-revisions-win"],
    answer: changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, changed: true })),
    })),
  },
  {
    name: "says that nothing changed where nobody can see it",
    caughtBy: ["changed-tells-whether-a-register-moved"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      const isPatch = operationsOf(body).some((operation) => operation?.kind === "patch");
      return answer.status === 200 && isPatch
        ? editBody<Receipts>(answer, ({ receipts }) => ({
            receipts: receipts.map((receipt) => ({ ...receipt, changed: false })),
          }))
        : answer;
    }),
  },
  {
    name: "counts the bytes of an operation differently",
    caughtBy: ["operations-have-bounds"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      const isLarge = JSON.stringify(operationsOf(body)).length > 65_000;
      return isLarge && answer.status === 200
        ? errorLike(answer, "invalid_sync_operation")
        : answer;
    }),
  },
  {
    name: "stores as many as it may and forgets the rest",
    caughtBy: ["push-takes-one-to-the-limit"],
    answer: changeBody(PUSH, (body) => ({
      ...body,
      operations: Array.isArray(body["operations"])
        ? body["operations"].slice(0, 100)
        : body["operations"],
    })),
  },
  {
    name: "is content with no operation",
    caughtBy: ["push-takes-one-to-the-limit"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      const operations = body["operations"];
      return Array.isArray(operations) && operations.length === 0 && answer.status === 400
        ? okLike(answer, { receipts: [] })
        : answer;
    }),
  },
  {
    name: "takes a replay for new",
    caughtBy: [
      "replays-are-duplicates",
      "receipts-follow-the-operations",
      "operations-of-other-devices-are-accepted",
    ],
    answer: changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, duplicate: false, changed: true })),
    })),
  },
  {
    name: "takes an id that is used for something else for a replay",
    caughtBy: ["reused-ids-are-conflicts", "conflicts-store-nothing"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      return answer.status === 409 ? receiptsFor(answer, operationsOf(body)) : answer;
    }),
  },
  {
    name: "stores the rest of a push with a conflict",
    caughtBy: ["conflicts-store-nothing"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      if (answer.status !== 409) return answer;
      for (const operation of operationsOf(body)) await ask({ operations: [operation] });
      return answer;
    }),
  },
  {
    name: "stores what came before a malformed operation",
    caughtBy: ["malformed-operations-store-nothing"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      if (answer.status !== 400 || operationsOf(body).length < 2) return answer;
      for (const operation of operationsOf(body)) {
        const { status } = await ask({ operations: [operation] });
        if (status !== 200) break;
      }
      return answer;
    }),
  },
  {
    name: "names the first bad operation alone",
    caughtBy: ["messages-name-every-bad-index"],
    answer: changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({ message: message.split("; ").slice(0, 2).join("; ") }),
    ),
  },
  {
    name: "counts operations from one",
    caughtBy: ["messages-name-every-bad-index"],
    answer: changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({
        message: message.replaceAll(/operation (\d+)/g, (_all, index) => `operation ${+index + 1}`),
      }),
    ),
  },
  {
    name: "writes messages without end",
    caughtBy: ["messages-are-bounded"],
    answer: changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({ message: message.padEnd(1000, "!") }),
    ),
  },
  {
    name: "ignores members of an operation that it does not know",
    caughtBy: ["operation-members-are-exact"],
    answer: changeOperations((operation) => {
      const { extra: _extra, ...rest } = operation as unknown as Body;
      return rest;
    }),
  },
  {
    name: "takes a sequence that is text",
    caughtBy: ["revisions-are-checked"],
    answer: changeOperations((operation) => {
      const { sequence, deviceId } = (operation.revision ?? {}) as Partial<Record<string, unknown>>;
      if (typeof sequence !== "string") return operation;
      return { ...operation, revision: { deviceId, sequence: Number(sequence) } };
    }),
  },
  {
    name: "takes a clock that runs wild",
    caughtBy: ["revisions-are-checked"],
    answer: overlook(/revision\.sequence/),
  },
  {
    name: "writes operation ids itself",
    caughtBy: ["operation-ids-match-their-revision"],
    answer: changeOperations((operation) => ({
      ...operation,
      operationId: `operation/${operation.revision.deviceId}/${operation.revision.sequence}`,
    })),
  },
  {
    name: "takes any entity and any payload",
    caughtBy: [
      "entity-ids-are-canonical",
      "habits-are-checked",
      "entries-are-checked",
      "settings-are-checked",
    ],
    options: { profile: "open" },
  },
  {
    name: "makes a tombstone of whatever is deleted",
    caughtBy: ["tombstones-have-no-payload"],
    answer: changeOperations((operation) => {
      const { payload: _payload, ...bare } = operation.document;
      if (operation.kind !== "delete") return operation;
      return { ...operation, document: { ...bare, deleted: true }, changedFields: [] };
    }),
  },
  {
    name: "finds out itself which fields changed",
    caughtBy: ["changed-fields-are-named"],
    answer: changeOperations((operation) => ({
      ...operation,
      changedFields: Object.keys(operation.document.payload ?? {}),
    })),
  },
  {
    name: "stores secrets",
    caughtBy: ["secrets-are-refused"],
    answer: overlook(/secret/),
  },
  {
    name: "stores whatever size it has",
    caughtBy: ["operations-have-bounds"],
    answer: overlook(/nested|bytes|fields each|characters/),
  },
  {
    name: "takes the last of two members of one name",
    caughtBy: ["member-names-are-given-once"],
    answer: changeBody(PUSH, (body) => body),
  },
  {
    name: "refuses fields that it does not know",
    caughtBy: ["valid-operations-are-accepted"],
    answer: handlePost(PUSH, async (body, ask) => {
      const answer = await ask(body);
      const known = operationsOf(body).every(
        ({ document }) => document.payload?.["mood"] === undefined,
      );
      return known || answer.status !== 200 ? answer : errorLike(answer, "invalid_sync_operation");
    }),
  },
  {
    name: "takes from a device only what that device made",
    caughtBy: ["operations-of-other-devices-are-accepted"],
    answer: handlePost(PUSH, async (body, ask, exchange, honest) => {
      const device = await honest({ ...exchange, method: "GET", target: "/v1/device" });
      const { deviceId } = JSON.parse(await readAnswer(device)) as { deviceId?: string };
      const isOwn = operationsOf(body).every(({ revision }) => revision?.deviceId === deviceId);
      return isOwn ? ask(body) : errorLike(device, "invalid_sync_operation");
    }),
  },
];
