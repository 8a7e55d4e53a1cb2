/** What the driver of a sync client reads, and what it prints. The guide shows these tables. */
import Type, { type Static } from "typebox";
import { createChecker } from "../../../src/contract/check.ts";
import { OPERATION_KINDS } from "../../../src/contract/sync/operation-limits.ts";
import { choice, CONNECT_TO } from "../../drivers/task-members.ts";

const Payload = Type.Record(Type.String(), Type.Unknown());

const DeviceEdit = Type.Object({
  kind: choice(OPERATION_KINDS, ""),
  entityId: Type.String(),
  payload: Type.Optional(Payload),
});

/** One task for a driver of a sync client, as the kit passes it. */
export const SyncTask = Type.Object({
  do: choice(
    ["begin-sign-in", "complete-sign-in", "sync", "follow", "sign-out"],
    "`begin-sign-in`: make the address for the browser. `complete-sign-in`: take what the browser brings, and redeem the code. `sync`: make the edits, then push and pull once, signed in or not. `follow`: work as an app that is open, until the app shows an entity. `sign-out`: end the session",
  ),
  baseUrl: Type.String({ description: "the address of the server, as the app knows it" }),
  connectTo: CONNECT_TO,
  redirectUri: Type.String({ description: "where the browser returns to" }),
  callbackUrl: Type.Optional(
    Type.String({ description: "`complete-sign-in`: the address that the browser returned to" }),
  ),
  edits: Type.Optional(
    Type.Array(DeviceEdit, {
      description:
        "`sync`: edits of the profile `habits`, in their order: `kind` (`create`, `patch`, `delete`, `restore`), `entityId`, and `payload`, of a patch the changed fields alone; a restore without it brings back what was there",
    }),
  ),
  entityId: Type.Optional(Type.String({ description: "`follow`: the entity" })),
  seconds: Type.Optional(Type.Number({ description: "`follow`: how long at most" })),
  state: Type.Unknown({
    description: "the `state` of the last result of this device; null the first time",
  }),
});

const Shown = Type.Object({ entityId: Type.String(), payload: Payload });

export const SyncTaskResult = Type.Object({
  kind: choice(
    ["begun", "signed-in", "not-signed-in", "synced", "sign-in-needed", "failed", "signed-out"],
    "`begun`; `signed-in` or `not-signed-in`; `synced` (also at the end of `follow`), `sign-in-needed` or `failed`; `signed-out`",
  ),
  authorizeUrl: Type.Optional(Type.String({ description: "`begun`: the address for the browser" })),
  entities: Type.Optional(
    Type.Array(Shown, {
      description: "what the app shows at the end, its own edits included: `entityId`, `payload`",
    }),
  ),
  pending: Type.Optional(
    Type.Integer({ description: "operations that the server has neither taken nor refused" }),
  ),
  refused: Type.Optional(
    Type.Array(Type.String(), { description: "ids of the operations that were set aside" }),
  ),
  state: Type.Optional(
    Type.Unknown({ description: "what the device stores; tokens may be here, and nowhere else" }),
  ),
});

export type SyncTask = Static<typeof SyncTask>;
export type SyncTaskResult = Static<typeof SyncTaskResult>;
export type DeviceEdit = Static<typeof DeviceEdit>;
export const SYNC_TASK_RESULT = createChecker(SyncTaskResult);
