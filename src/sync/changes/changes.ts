/** Live changes: streams that tell devices that there is something to pull. */
import type { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import { MAX_STREAMS_PER_DEVICE, MAX_STREAMS_PER_INSTANCE } from "../../contract/sync/values.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import { EVENT_STREAM_HEADERS } from "../../http/event-stream.ts";
import { STORAGE_UNAVAILABLE } from "../../http/http-error.ts";
import type { HttpResponse } from "../../http/response.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { AccessGrant } from "../store.ts";
import { createLiveChanges, type LiveChanges } from "./live-changes.ts";

export function createChanges(dependencies: SyncDependencies) {
  const { store, storage, observer, onNotice, randomBytes, now } = dependencies;
  const live = createLiveChanges({
    store,
    randomBytes,
    now,
    attempt: (task) =>
      storage.tolerate(task).catch((error: unknown) => onNotice({ kind: "changes-failed", error })),
    onCount: (open) => observer?.streams(open),
  });
  return { ...live, handlers: { getChanges: createChangesHandler(live) } };
}

function createChangesHandler(
  changes: Pick<LiveChanges, "open">,
): Handlers<typeof SYNC_ROUTES, AccessGrant>["getChanges"] {
  return async (_input, { method, principal, requestId }) => {
    // The response to HEAD has the headers alone: it opens no stream.
    if (method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS, body: null };
    const result = await changes.open(principal.session);
    switch (result.kind) {
      case "opened":
        return { status: 200, headers: EVENT_STREAM_HEADERS, body: result.body, isLive: true };
      case "limited":
        return tooManyStreams(result.retryAfterSeconds, requestId);
      case "signed-out":
        return { kind: "unauthenticated" };
      case "closed":
        return STORAGE_UNAVAILABLE;
    }
  };
}

function tooManyStreams(retryAfterSeconds: number, requestId: string): HttpResponse {
  return errorResponse("rate_limited", requestId, {
    message: `There are too many open streams: a device may have ${MAX_STREAMS_PER_DEVICE}, all devices ${MAX_STREAMS_PER_INSTANCE}; close one, or pull now and then`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}
