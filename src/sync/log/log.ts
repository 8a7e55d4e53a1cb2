/** The log: devices push operations to it, pull those of others, and start from a snapshot. */
import { KEY_HEADER } from "../../contract/sync/account-keys.ts";
import type { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import { DEFAULT_PULL_LIMIT } from "../../contract/sync/values.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import { noteLostCursor } from "../devices/note-rollback.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { AccessGrant } from "../store.ts";
import { pullResponse } from "./pull.ts";
import { createPushHandler, type PushSettings } from "./push.ts";
import { createStorageQuota } from "./quota.ts";
import { snapshotBody } from "./snapshot.ts";

export function createLog(
  dependencies: SyncDependencies,
  onStored: NonNullable<PushSettings["onStored"]>,
) {
  const { store, limits, profile, pushReaders, quota, observer, now } = dependencies;
  const rules = { maxOperations: limits.maxPushOperations, profile };
  const push = createPushHandler({
    store,
    limits,
    profile,
    observer,
    now,
    onStored,
    ...(pushReaders !== undefined && { reader: pushReaders.share(rules) }),
    quota: quota?.storage && createStorageQuota(quota.storage, now),
  });
  const handlers: Pick<
    Handlers<typeof SYNC_ROUTES, AccessGrant>,
    "push" | "pull" | "getSnapshot"
  > = {
    push: (_input, context) =>
      push.handle(
        context.content.bytes,
        context.requestId,
        context.header(KEY_HEADER.toLowerCase()),
      ),
    pull: createPullHandler(dependencies),
    getSnapshot: async () => ({
      status: 200,
      headers: { "Content-Type": "application/json; charset=utf-8" },
      body: await snapshotBody(store.operations),
    }),
  };
  return { handlers, close: push.close };
}

function createPullHandler({
  store,
  security,
  limits: { maxPullOperations: maxPull },
  profile,
  observer,
}: SyncDependencies): Handlers<typeof SYNC_ROUTES, AccessGrant>["pull"] {
  return ({ cursor, limit = Math.min(DEFAULT_PULL_LIMIT, maxPull) }, context) => {
    const { requestId } = context;
    if (limit > maxPull) return errorResponse("invalid_request", requestId);
    return pullResponse(store.operations, cursor, limit, requestId, {
      tellsKey: profile === "sealed",
      onLostHistory: ({ mark }) =>
        security
          .transaction((records, note) =>
            noteLostCursor(records, mark, context.clientAddress(), note),
          )
          // The response does not depend on the note, which the next pull of the device makes again.
          .catch(() => {}),
      onPage: ({ count, lastOffset }, recoveryReason) =>
        observer?.pulled({
          family: context.principal.session.family,
          operations: count,
          offset: lastOffset,
          recoveryReason,
        }),
    });
  };
}
