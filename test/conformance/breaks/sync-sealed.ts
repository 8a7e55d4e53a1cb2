/** Breaks of a server of the profile `sealed`. */
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { errorLike, handlePost, type SyncBreak } from "./sync-break.ts";
import { changeOperations, operationsOf, overlook, PUSH } from "./sync-push.ts";

const options = { profile: "sealed" } as const;

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
    name: "sorts the changed fields of sealed operations",
    caughtBy: ["clear-operations-are-refused"],
    options,
    respond: changeOperations(sorted),
  },
  {
    name: "changes a character of sealed values",
    caughtBy: ["sealed-operations-come-back-unchanged"],
    options,
    respond: changeOperations((operation) => {
      const text = JSON.stringify(operation);
      return JSON.parse(text.replaceAll(/(?<="1\.[\w-]{8}\.)[\w-]/g, "_")) as unknown;
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
    name: "lets every device create a key of the account",
    caughtBy: ["key-entity-is-created-once"],
    options,
    respond: overlook(/has a key already/),
  },
];
