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
  toBreaks,
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

export const SYNC_BREAKS_OF_PUSH = toBreaks<SyncBreak>({
  "refusals-name-every-bad-operation, refusals-name-every-conflict, sequence-jumps-are-refused, refusals-name-a-whole-push":
    {
      "names refused operations in its message alone": changeRefused(() => null),
    },
  "refusals-name-every-bad-operation, refusals-name-every-conflict, refusals-name-a-whole-push": {
    "names the first refused operation alone": changeRefused((header) => header.replace(/,.*/, "")),
  },
  "refusals-name-every-bad-operation, refusals-name-every-conflict": {
    "counts refused operations from 1": changeRefused((header) =>
      header.replaceAll(/\d+=/g, (text) => `${Number.parseInt(text) + 1}=`),
    ),
    "has one code for every refusal": changeRefused((header) =>
      header.replaceAll(/=[a-z_]+/g, "=invalid"),
    ),
  },
  "refusals-name-a-whole-push": {
    "names at most fifty refused operations": changeRefused((header) =>
      header.split(", ").slice(0, 50).join(", "),
    ),
    "repeats the content of a refused operation": handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const [first] = operationsOf(body);
      return response.headers[REFUSED] === undefined
        ? response
        : withHeader(response, REFUSED, `${response.headers[REFUSED]}, 0="${first?.kind}"`);
    }),
  },
  "refusals-are-only-of-refused-pushes": {
    "names a refused operation of every push": changeResponse(
      (response, request) => isPost(request, PUSH) && response.headers[REFUSED] === undefined,
      (response) => withHeader(response, REFUSED, "0=too_large"),
    ),
  },
  "refusals-can-be-read-by-configured-origins": {
    "hides the refused operations from scripts": changeResponse(
      ({ headers }) => headers["Access-Control-Expose-Headers"] !== undefined,
      (response) =>
        withHeader(response, "Access-Control-Expose-Headers", "Retry-After, X-Request-Id"),
    ),
  },
  "push-answers-a-receipt-for-each": {
    "names the operation in its receipt": changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, operationId: "none" })),
    })),
  },
  "push-answers-a-receipt-for-each, receipts-follow-the-operations": {
    "sends the receipts in another order": changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.toReversed(),
    })),
  },
  "receipts-follow-the-operations, replays-are-duplicates, greater-revisions-win": {
    "says of everything that it changed something": changeOk<Receipts>(PUSH, ({ receipts }) => ({
      receipts: receipts.map((receipt) => ({ ...receipt, changed: true })),
    })),
  },
  "changed-tells-whether-a-register-moved": {
    "says that nothing changed when a hidden register moved": handlePost(
      PUSH,
      async (body, ask) => {
        const response = await ask(body);
        const isPatch = operationsOf(body).some((operation) => operation?.kind === "patch");
        return response.status === 200 && isPatch
          ? editBody<Receipts>(response, ({ receipts }) => ({
              receipts: receipts.map((receipt) => ({ ...receipt, changed: false })),
            }))
          : response;
      },
    ),
  },
  "operations-have-bounds": {
    "counts the bytes of an operation differently": handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const isLarge = JSON.stringify(operationsOf(body)).length > 65_000;
      return isLarge && response.status === 200
        ? errorLike(response, "invalid_sync_operation")
        : response;
    }),
    "stores whatever size it has": overlook(/nested|bytes|256 fields|characters/),
  },
  "push-takes-one-to-the-limit": {
    "stores as many as it may and forgets the rest": changeBody(PUSH, (body) => ({
      ...body,
      operations: Array.isArray(body["operations"])
        ? body["operations"].slice(0, 100)
        : body["operations"],
    })),
    "is content with no operation": handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const operations = body["operations"];
      return Array.isArray(operations) && operations.length === 0 && response.status === 400
        ? okLike(response, { receipts: [] })
        : response;
    }),
  },
  "replays-are-duplicates, receipts-follow-the-operations, operations-of-other-devices-are-accepted":
    {
      "takes a replay for new": changeOk<Receipts>(PUSH, ({ receipts }) => ({
        receipts: receipts.map((receipt) => ({ ...receipt, duplicate: false, changed: true })),
      })),
    },
  "changed-fields-may-be-reordered": {
    "takes a replay that names its fields in another order for another operation": {
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
  },
  "reused-ids-are-conflicts, conflicts-store-nothing": {
    "takes an id that is used for something else for a replay": handlePost(
      PUSH,
      async (body, ask) => {
        const response = await ask(body);
        return response.status === 409 ? receiptsFor(response, operationsOf(body)) : response;
      },
    ),
  },
  "conflicts-store-nothing": {
    "stores the rest of a push with a conflict": handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      if (response.status !== 409) return response;
      for (const operation of operationsOf(body)) await ask({ operations: [operation] });
      return response;
    }),
  },
  "malformed-operations-store-nothing": {
    "stores what came before a malformed operation": handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      if (response.status !== 400 || operationsOf(body).length < 2) return response;
      for (const operation of operationsOf(body)) {
        const { status } = await ask({ operations: [operation] });
        if (status !== 200) break;
      }
      return response;
    }),
  },
  "messages-name-every-bad-index": {
    "names the first bad operation alone": changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({ message: message.split("; ").slice(0, 2).join("; ") }),
    ),
    "counts operations from one": changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({
        message: message.replaceAll(/operation (\d+)/g, (_all, index) => `operation ${+index + 1}`),
      }),
    ),
  },
  "messages-are-bounded": {
    "writes messages without end": changeError(
      ({ error }) => error === "invalid_sync_operation",
      ({ message }) => ({ message: message.padEnd(1000, "!") }),
    ),
  },
  "operation-members-are-exact": {
    "ignores members of an operation that it does not know": changeOperations((operation) => {
      const { extra: _extra, ...rest } = operation as unknown as Body;
      return rest;
    }),
  },
  "revisions-are-checked": {
    "takes a sequence that is text": changeOperations((operation) => {
      const { sequence, deviceId } = (operation.revision ?? {}) as Partial<Record<string, unknown>>;
      if (typeof sequence !== "string") return operation;
      return { ...operation, revision: { deviceId, sequence: Number(sequence) } };
    }),
    "takes a sequence that is none": overlook(/revision\.sequence must be an integer/),
  },
  "sequence-jumps-are-refused": {
    "takes a clock that runs wild": overlook(/revision\.sequence must be at most/),
  },
  "sequences-move-by-steps": {
    "takes no step of a clock": handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const isStep = operationsOf(body).some(({ revision }) => revision?.sequence >= 2 ** 20);
      return response.status === 200 && isStep
        ? errorLike(response, "invalid_sync_operation")
        : response;
    }),
  },
  "operation-ids-match-their-revision": {
    "writes operation ids itself": changeOperations((operation) => ({
      ...operation,
      operationId: `operation/${operation.revision.deviceId}/${operation.revision.sequence}`,
    })),
  },
  "entity-ids-are-canonical, habits-are-checked, entries-are-checked, settings-are-checked": {
    "takes any entity and any payload": {
      options: { profile: "open" },
      respond: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
        sync["profile"] = "habits";
      }),
    },
  },
  "tombstones-have-no-payload": {
    "makes a tombstone of whatever is deleted": changeOperations((operation) => {
      const { payload: _payload, ...bare } = operation.document;
      if (operation.kind !== "delete") return operation;
      return { ...operation, document: { ...bare, deleted: true }, changedFields: [] };
    }),
  },
  "changed-fields-are-named": {
    "finds out itself which fields changed": changeOperations((operation) => ({
      ...operation,
      changedFields: Object.keys(operation.document.payload ?? {}),
    })),
  },
  "secrets-are-refused": {
    "stores secrets": overlook(/secret/),
    "refuses every name that contains a secret word": refusePayloads((payload) =>
      JSON.stringify(payload).includes("tokenCount"),
    ),
  },
  "member-names-are-given-once": {
    "takes the last of two members of one name": changeBody(PUSH, (body) => body),
  },
  "valid-operations-are-accepted": {
    "refuses fields that it does not know": refusePayloads(
      (payload) => payload["mood"] !== undefined,
    ),
    "knows a number of custom days, and no list of them": refusePayloads(({ customDays }) =>
      Array.isArray(customDays),
    ),
  },
  "habits-are-checked": {
    "takes anything for custom days": overlook(/customDays/),
    "takes anything for notifications": overlook(/notification/),
  },
  "operations-of-other-devices-are-accepted": {
    "takes from a device only what that device made": handlePost(
      PUSH,
      async (body, ask, request, real) => {
        const device = await real({ ...request, method: "GET", target: "/v1/device" });
        const { deviceId } = JSON.parse(await readResponseBody(device)) as { deviceId?: string };
        const isOwn = operationsOf(body).every(({ revision }) => revision?.deviceId === deviceId);
        return isOwn ? ask(body) : errorLike(device, "invalid_sync_operation");
      },
    ),
  },
});
