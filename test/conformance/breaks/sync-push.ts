import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { Receipt } from "../../../src/contract/sync/schemas.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import {
  editBody,
  type BrokenResponder,
  changeOk,
  changeResponse,
  isPost,
  readResponseBody,
  type Body,
  withHeader,
  withoutHeader,
} from "./break.ts";
import {
  changeBody,
  changeError,
  errorLike,
  handlePost,
  okLike,
  type SyncBreak,
} from "./sync-break.ts";

export const PUSH = "/v1/push";

type Receipts = { receipts: Receipt[] };

export const operationsOf = (body: Body) => (body["operations"] ?? []) as Operation[];

/** Reads other operations than those that came. */
export function changeOperations(edit: (operation: Operation) => unknown): BrokenResponder {
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

export function receiptsFor(response: HttpResponse, operations: readonly unknown[]): HttpResponse {
  const receipt = { cursor: "none", offset: 1, duplicate: false, changed: true };
  return okLike(response, { receipts: operations.map(() => receipt) });
}

/** Lets an operation pass that breaks one rule. */
export function overlook(rule: RegExp): BrokenResponder {
  return handlePost(PUSH, async (body, ask) => {
    const response = await ask(body);
    if (response.status !== 400) return response;
    const { message } = JSON.parse(await readResponseBody(response)) as { message: string };
    return rule.test(message) ? receiptsFor(response, operationsOf(body)) : response;
  });
}

/** Refuses what is valid. */
function refusePayloads(refuses: (payload: Body) => boolean): BrokenResponder {
  return handlePost(PUSH, async (body, ask) => {
    const response = await ask(body);
    if (response.status !== 200) return response;
    return operationsOf(body).some(({ document }) => refuses(document.payload ?? {}))
      ? errorLike(response, "invalid_sync_operation")
      : response;
  });
}

const REFUSED = "Trellis-Refused";

/** Changes the header that names the refused operations. */
function changeRefused(change: (header: string) => string | null): BrokenResponder {
  return changeResponse(
    (response) => response.headers[REFUSED] !== undefined,
    (response) => {
      const header = change(response.headers[REFUSED] ?? "");
      return header === null
        ? withoutHeader(response, REFUSED)
        : withHeader(response, REFUSED, header);
    },
  );
}

export const SYNC_BREAKS_OF_PUSH: readonly SyncBreak[] = [
  {
    name: "names refused operations in its message alone",
    caughtBy: [
      "refusals-name-every-bad-operation",
      "refusals-name-every-conflict",
      "sequence-jumps-are-refused",
      "refusals-name-a-whole-push",
    ],
    respond: changeRefused(() => null),
  },
  {
    name: "names the first refused operation alone",
    caughtBy: [
      "refusals-name-every-bad-operation",
      "refusals-name-every-conflict",
      "refusals-name-a-whole-push",
    ],
    respond: changeRefused((header) => header.replace(/,.*/, "")),
  },
  {
    name: "counts refused operations from 1",
    caughtBy: ["refusals-name-every-bad-operation", "refusals-name-every-conflict"],
    respond: changeRefused((header) =>
      header.replaceAll(/\d+=/g, (text) => `${Number.parseInt(text) + 1}=`),
    ),
  },
  {
    name: "has one code for every refusal",
    caughtBy: ["refusals-name-every-bad-operation", "refusals-name-every-conflict"],
    respond: changeRefused((header) => header.replaceAll(/=[a-z_]+/g, "=invalid")),
  },
  {
    name: "names at most fifty refused operations",
    caughtBy: ["refusals-name-a-whole-push"],
    respond: changeRefused((header) => header.split(", ").slice(0, 50).join(", ")),
  },
  {
    name: "repeats the content of a refused operation",
    caughtBy: ["refusals-name-a-whole-push"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const [first] = operationsOf(body);
      return response.headers[REFUSED] === undefined
        ? response
        : withHeader(response, REFUSED, `${response.headers[REFUSED]}, 0="${first?.kind}"`);
    }),
  },
  {
    name: "names a refused operation of every push",
    caughtBy: ["refusals-are-only-of-refused-pushes"],
    respond: changeResponse(
      (response, request) => isPost(request, PUSH) && response.headers[REFUSED] === undefined,
      (response) => withHeader(response, REFUSED, "0=too_large"),
    ),
  },
  {
    name: "hides the refused operations from scripts",
    caughtBy: ["refusals-can-be-read-by-configured-origins"],
    respond: changeResponse(
      ({ headers }) => headers["Access-Control-Expose-Headers"] !== undefined,
      (response) =>
        withHeader(response, "Access-Control-Expose-Headers", "Retry-After, X-Request-Id"),
    ),
  },
  {
    name: "names the operation in its receipt",
    caughtBy: ["push-answers-a-receipt-for-each"],
    respond: changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, operationId: "none" })),
    })),
  },
  {
    name: "sends the receipts in another order",
    caughtBy: ["push-answers-a-receipt-for-each", "receipts-follow-the-operations"],
    respond: changeOk<Receipts>(PUSH, ({ receipts }) => ({ receipts: receipts.toReversed() })),
  },
  {
    name: "says of everything that it changed something",
    caughtBy: ["receipts-follow-the-operations", "replays-are-duplicates", "greater-revisions-win"],
    respond: changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, changed: true })),
    })),
  },
  {
    name: "says that nothing changed when a hidden register moved",
    caughtBy: ["changed-tells-whether-a-register-moved"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const isPatch = operationsOf(body).some((operation) => operation?.kind === "patch");
      return response.status === 200 && isPatch
        ? editBody<Receipts>(response, ({ receipts }) => ({
            receipts: receipts.map((receipt) => ({ ...receipt, changed: false })),
          }))
        : response;
    }),
  },
  {
    name: "counts the bytes of an operation differently",
    caughtBy: ["operations-have-bounds"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const isLarge = JSON.stringify(operationsOf(body)).length > 65_000;
      return isLarge && response.status === 200
        ? errorLike(response, "invalid_sync_operation")
        : response;
    }),
  },
  {
    name: "stores as many as it may and forgets the rest",
    caughtBy: ["push-takes-one-to-the-limit"],
    respond: changeBody(PUSH, (body) => ({
      ...body,
      operations: Array.isArray(body["operations"])
        ? body["operations"].slice(0, 100)
        : body["operations"],
    })),
  },
  {
    name: "is content with no operation",
    caughtBy: ["push-takes-one-to-the-limit"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const operations = body["operations"];
      return Array.isArray(operations) && operations.length === 0 && response.status === 400
        ? okLike(response, { receipts: [] })
        : response;
    }),
  },
  {
    name: "takes a replay for new",
    caughtBy: [
      "replays-are-duplicates",
      "receipts-follow-the-operations",
      "operations-of-other-devices-are-accepted",
    ],
    respond: changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, duplicate: false, changed: true })),
    })),
  },
  {
    name: "takes a replay that names its fields in another order for another operation",
    caughtBy: ["changed-fields-may-be-reordered"],
    createResponder: () => {
      const fieldsById = new Map<string, string>();
      return handlePost(PUSH, async (body, ask) => {
        const response = await ask(body);
        const isReordered = operationsOf(body).some((operation) => {
          if (response.status !== 200) return false;
          const { operationId, changedFields } = operation;
          const known = fieldsById.get(operationId);
          fieldsById.set(operationId, known ?? changedFields.join());
          return known !== undefined && known !== changedFields.join();
        });
        return isReordered ? errorLike(response, "operation_conflict") : response;
      });
    },
  },
  {
    name: "takes an id that is used for something else for a replay",
    caughtBy: ["reused-ids-are-conflicts", "conflicts-store-nothing"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      return response.status === 409 ? receiptsFor(response, operationsOf(body)) : response;
    }),
  },
  {
    name: "stores the rest of a push with a conflict",
    caughtBy: ["conflicts-store-nothing"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      if (response.status !== 409) return response;
      for (const operation of operationsOf(body)) await ask({ operations: [operation] });
      return response;
    }),
  },
  {
    name: "stores what came before a malformed operation",
    caughtBy: ["malformed-operations-store-nothing"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      if (response.status !== 400 || operationsOf(body).length < 2) return response;
      for (const operation of operationsOf(body)) {
        const { status } = await ask({ operations: [operation] });
        if (status !== 200) break;
      }
      return response;
    }),
  },
  {
    name: "names the first bad operation alone",
    caughtBy: ["messages-name-every-bad-index"],
    respond: changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({ message: message.split("; ").slice(0, 2).join("; ") }),
    ),
  },
  {
    name: "counts operations from one",
    caughtBy: ["messages-name-every-bad-index"],
    respond: changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({
        message: message.replaceAll(/operation (\d+)/g, (_all, index) => `operation ${+index + 1}`),
      }),
    ),
  },
  {
    name: "writes messages without end",
    caughtBy: ["messages-are-bounded"],
    respond: changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({ message: message.padEnd(1000, "!") }),
    ),
  },
  {
    name: "ignores members of an operation that it does not know",
    caughtBy: ["operation-members-are-exact"],
    respond: changeOperations((operation) => {
      const { extra: _extra, ...rest } = operation as unknown as Body;
      return rest;
    }),
  },
  {
    name: "takes a sequence that is text",
    caughtBy: ["revisions-are-checked"],
    respond: changeOperations((operation) => {
      const { sequence, deviceId } = (operation.revision ?? {}) as Partial<Record<string, unknown>>;
      if (typeof sequence !== "string") return operation;
      return { ...operation, revision: { deviceId, sequence: Number(sequence) } };
    }),
  },
  {
    name: "takes a sequence that is none",
    caughtBy: ["revisions-are-checked"],
    respond: overlook(/revision\.sequence must be an integer/),
  },
  {
    name: "takes a clock that runs wild",
    caughtBy: ["sequence-jumps-are-refused"],
    respond: overlook(/revision\.sequence must be at most/),
  },
  {
    name: "takes no step of a clock",
    caughtBy: ["sequences-move-by-steps"],
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const isStep = operationsOf(body).some(({ revision }) => revision?.sequence >= 2 ** 20);
      return response.status === 200 && isStep
        ? errorLike(response, "invalid_sync_operation")
        : response;
    }),
  },
  {
    name: "writes operation ids itself",
    caughtBy: ["operation-ids-match-their-revision"],
    respond: changeOperations((operation) => ({
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
    respond: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
      sync["profile"] = "habits";
    }),
  },
  {
    name: "makes a tombstone of whatever is deleted",
    caughtBy: ["tombstones-have-no-payload"],
    respond: changeOperations((operation) => {
      const { payload: _payload, ...bare } = operation.document;
      if (operation.kind !== "delete") return operation;
      return { ...operation, document: { ...bare, deleted: true }, changedFields: [] };
    }),
  },
  {
    name: "finds out itself which fields changed",
    caughtBy: ["changed-fields-are-named"],
    respond: changeOperations((operation) => ({
      ...operation,
      changedFields: Object.keys(operation.document.payload ?? {}),
    })),
  },
  {
    name: "stores secrets",
    caughtBy: ["secrets-are-refused"],
    respond: overlook(/secret/),
  },
  {
    name: "refuses every name that contains a secret word",
    caughtBy: ["secrets-are-refused"],
    respond: refusePayloads((payload) => JSON.stringify(payload).includes("tokenCount")),
  },
  {
    name: "stores whatever size it has",
    caughtBy: ["operations-have-bounds"],
    respond: overlook(/nested|bytes|256 fields|characters/),
  },
  {
    name: "takes the last of two members of one name",
    caughtBy: ["member-names-are-given-once"],
    respond: changeBody(PUSH, (body) => body),
  },
  {
    name: "refuses fields that it does not know",
    caughtBy: ["valid-operations-are-accepted"],
    respond: refusePayloads((payload) => payload["mood"] !== undefined),
  },
  {
    name: "knows a number of custom days, and no list of them",
    caughtBy: ["valid-operations-are-accepted"],
    respond: refusePayloads(({ customDays }) => Array.isArray(customDays)),
  },
  {
    name: "takes anything for custom days",
    caughtBy: ["habits-are-checked"],
    respond: overlook(/customDays/),
  },
  {
    name: "takes anything for notifications",
    caughtBy: ["habits-are-checked"],
    respond: overlook(/notification/),
  },
  {
    name: "takes from a device only what that device made",
    caughtBy: ["operations-of-other-devices-are-accepted"],
    respond: handlePost(PUSH, async (body, ask, request, real) => {
      const device = await real({ ...request, method: "GET", target: "/v1/device" });
      const { deviceId } = JSON.parse(await readResponseBody(device)) as { deviceId?: string };
      const isOwn = operationsOf(body).every(({ revision }) => revision?.deviceId === deviceId);
      return isOwn ? ask(body) : errorLike(device, "invalid_sync_operation");
    }),
  },
];
