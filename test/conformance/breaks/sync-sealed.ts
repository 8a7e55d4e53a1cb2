/** Breaks of a server of the profile `sealed`. */
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { changeOk, changeResponse, isPost, withBody, withHeader, withStatus } from "./break.ts";
import { errorLike, handlePost, type SyncBreak } from "./sync-break.ts";
import { changeOperations, operationsOf, overlook, PUSH, receiptsFor } from "./sync-push.ts";

const KEYS = "/v1/keys";

const options = { profile: "sealed" } as const;

/** Says that a record was added where the service refuses it with this status. */
const takeKeys = (status: number) =>
  changeResponse(
    (response, request) => isPost(request, KEYS) && response.status === status,
    (response) => withBody(withStatus(response, 201), `{"keyId":"${"A".repeat(22)}"}`),
  );

const sorted = ({ changedFields, changedMetadataFields, ...rest }: Operation) => ({
  ...rest,
  changedFields: changedFields.toSorted(),
  changedMetadataFields: changedMetadataFields.toSorted(),
});

export const SYNC_BREAKS_OF_SEALED: readonly SyncBreak[] = [
  {
    name: "says that it is sealed and takes clear text",
    caughtBy: ["capabilities-name-the-profile-that-holds", "clear-operations-are-refused"],
    options,
    respond: overlook(/encrypted/),
  },
  {
    name: "lets no script of a trusted origin prove the account's key",
    caughtBy: ["preflight-allows-what-is-documented"],
    options,
    respond: changeResponse(
      (_response, { method }) => method === "OPTIONS",
      (response) => {
        const allowed = response.headers["Access-Control-Allow-Headers"] ?? "";
        const others = allowed.replace("trellis-key, ", "");
        return withHeader(response, "Access-Control-Allow-Headers", others);
      },
    ),
  },
  {
    name: "sorts the changed fields of sealed operations",
    caughtBy: ["clear-operations-are-refused"],
    options,
    respond: changeOperations(sorted),
  },
  {
    name: "changes a character of envelopes",
    caughtBy: ["sealed-operations-come-back-unchanged"],
    options,
    respond: changeOperations((operation) => {
      const text = JSON.stringify(operation);
      return JSON.parse(text.replaceAll(/(?<="2\.[\w-]{22}\.)[\w-]/g, "_")) as unknown;
    }),
  },
  {
    name: "takes sealed operations of 64 KiB at most",
    caughtBy: ["sealed-operations-have-bounds"],
    options,
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      const isLarge = operationsOf(body).some((one) => JSON.stringify(one).length > 65_536);
      return isLarge ? errorLike(response, "invalid_sync_operation") : response;
    }),
  },
  {
    name: "shows the operations of an entity in another order",
    caughtBy: ["sealed-operations-come-back-unchanged"],
    options,
    respond: changeOk<{ entities: { operations: unknown[] }[] }>("/v1/snapshot", (body) => {
      for (const { operations } of body.entities) operations.reverse();
    }),
  },
  {
    name: "stores pushes without the proof of the account's key",
    caughtBy: ["pushes-need-the-proof-of-the-account-key"],
    options,
    respond: handlePost(PUSH, async (body, ask) => {
      const response = await ask(body);
      return response.status === 403 ? receiptsFor(response, operationsOf(body)) : response;
    }),
  },
  {
    name: "takes operations under keys that the list does not have",
    caughtBy: ["pushes-need-the-proof-of-the-account-key"],
    options,
    respond: overlook(/list of keys/),
  },
  {
    name: "takes a new key from every session",
    caughtBy: ["keys-need-the-proof-of-the-account-key"],
    options,
    respond: takeKeys(403),
  },
  {
    name: "takes every key that a former one vouches for",
    caughtBy: ["keys-need-the-proof-of-the-account-key"],
    options,
    respond: takeKeys(409),
  },
  {
    name: "takes records that do not follow the last one",
    caughtBy: ["key-records-are-checked"],
    options,
    respond: takeKeys(400),
  },
  {
    name: "tells no key with a page",
    caughtBy: ["keys-follow-each-other"],
    options,
    respond: changeOk<{ keyId: string | null }>("/v1/pull", (page) => {
      page.keyId = null;
    }),
  },
];
