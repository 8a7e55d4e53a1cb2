/** Breaks of a server of the profile `sealed`. */
import type { Operation } from "../../../src/contract/sync/operation.ts";
import {
  changeOk,
  changeResponse,
  isPost,
  withBody,
  withHeader,
  withStatus,
  toBreaks,
} from "./break.ts";
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

export const SYNC_BREAKS_OF_SEALED = toBreaks<SyncBreak>({
  "capabilities-name-the-profile-that-holds, clear-operations-are-refused": {
    "says that it is sealed and takes clear text": {
      options,
      respond: overlook(/encrypted/),
    },
  },
  "preflight-allows-what-is-documented": {
    "lets no script of a trusted origin prove the account's key": {
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
  },
  "clear-operations-are-refused": {
    "sorts the changed fields of sealed operations": {
      options,
      respond: changeOperations(sorted),
    },
  },
  "sealed-operations-come-back-unchanged": {
    "changes a character of envelopes": {
      options,
      respond: changeOperations((operation) => {
        const text = JSON.stringify(operation);
        return JSON.parse(text.replaceAll(/(?<="2\.[\w-]{22}\.)[\w-]/g, "_")) as unknown;
      }),
    },
    "shows the operations of an entity in another order": {
      options,
      respond: changeOk<{ entities: { operations: unknown[] }[] }>("/v1/snapshot", (body) => {
        for (const { operations } of body.entities) operations.reverse();
      }),
    },
  },
  "sealed-operations-have-bounds": {
    "takes sealed operations of 64 KiB at most": {
      options,
      respond: handlePost(PUSH, async (body, ask) => {
        const response = await ask(body);
        const isLarge = operationsOf(body).some((one) => JSON.stringify(one).length > 65_536);
        return isLarge ? errorLike(response, "invalid_sync_operation") : response;
      }),
    },
  },
  "pushes-need-the-proof-of-the-account-key": {
    "stores pushes without the proof of the account's key": {
      options,
      respond: handlePost(PUSH, async (body, ask) => {
        const response = await ask(body);
        return response.status === 403 ? receiptsFor(response, operationsOf(body)) : response;
      }),
    },
    "takes operations under keys that the list does not have": {
      options,
      respond: overlook(/list of keys/),
    },
  },
  "keys-need-the-proof-of-the-account-key": {
    "takes a new key from every session": {
      options,
      respond: takeKeys(403),
    },
    "takes every key that a former one vouches for": {
      options,
      respond: takeKeys(409),
    },
  },
  "key-records-are-checked": {
    "takes records that do not follow the last one": {
      options,
      respond: takeKeys(400),
    },
  },
  "keys-follow-each-other": {
    "tells no key with a page": {
      options,
      respond: changeOk<{ keyId: string | null }>("/v1/pull", (page) => {
        page.keyId = null;
      }),
    },
  },
});
