import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";
import {
  changeOk,
  changeRequest,
  changeResponse,
  pathOf,
  withHeader,
  withoutHeader,
  withTarget,
  type BrokenResponder,
  toBreaks,
} from "./break.ts";
import { changeError, changeRecords, type SyncBreak } from "./sync-break.ts";

const CHANGES = "/v1/changes";

function isStream({ status, body }: HttpResponse, request: RawRequest): boolean {
  return status === 200 && body instanceof ReadableStream && pathOf(request) === CHANGES;
}

/** Changes the text of each event, or drops it with null; `index` counts them. */
export function changeEvents(
  change: (event: string, index: number) => string | null,
): BrokenResponder {
  return changeResponse(isStream, (response) => {
    let index = 0;
    const changed = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = change(Buffer.from(chunk).toString(), index++);
        if (text !== null) controller.enqueue(Buffer.from(text));
      },
    });
    return { ...response, body: (response.body as ReadableStream).pipeThrough(changed) };
  });
}

/** A stream that does not end when that of the service does. */
function neverEnding(response: HttpResponse): HttpResponse {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await reader.read();
      if (!next.done) controller.enqueue(next.value);
      else await new Promise(() => {});
    },
    cancel: () => reader.cancel(),
  });
  return { ...response, body };
}

const ALL_STREAMS = [
  "changes-begin-with-the-head",
  "changes-tell-of-a-push",
  "changes-end-with-the-session",
];

export const SYNC_BREAKS_OF_CHANGES = toBreaks<SyncBreak>({
  "changes-are-announced": {
    "does not announce its streams of changes": changeOk<{ sync: Record<string, unknown> }>(
      "/v1/capabilities",
      ({ sync }) => {
        delete sync["changes"];
      },
    ),
  },
  [["changes-are-announced", ...ALL_STREAMS].join(", ")]: {
    "announces streams of changes that it does not have": changeRequest((request) =>
      pathOf(request) === CHANGES ? withTarget(request, "/v1/nothing") : request,
    ),
  },
  [ALL_STREAMS.join(", ")]: {
    "sends its stream as plain text": changeResponse(isStream, (response) =>
      withHeader(response, "Content-Type", "text/plain"),
    ),
  },
  "changes-begin-with-the-head": {
    "does not tell the head when a stream opens": changeEvents((event, index) =>
      index === 0 ? ":\n\n" : event,
    ),
    "tells how many operations there are": changeEvents((event) =>
      event.replace('{"', '{"headOffset":7,"'),
    ),
    "tells the offset in place of a cursor": changeEvents((event) =>
      event.replace(/"cursor":".*"/, '"cursor":"7"'),
    ),
    "allows streams to be stored": changeResponse(isStream, (response) =>
      withHeader(response, "Cache-Control", "max-age=60"),
    ),
  },
  "changes-tell-of-a-push, changes-outlive-other-requests": {
    "tells no stream of a push": changeEvents((event, index) => (index === 0 ? event : null)),
  },
  "changes-end-with-the-session": {
    "leaves the stream of a revoked device open": changeResponse(isStream, neverEnding),
    "ends all streams when a device is revoked": {
      createResponder: createStreamKiller((request) => request.method === "DELETE"),
    },
  },
  "changes-outlive-other-requests": {
    "ends the stream when its tokens are refreshed": {
      createResponder: createStreamKiller((request) => pathOf(request) === "/v1/refresh"),
    },
  },
  "changes-are-limited": {
    "has no limit of streams": changeRecords("streams", () => ({ open: async () => true })),
    "counts the streams of all devices together": changeRecords("streams", (real) => ({
      open: (stream, opening) => real.open({ ...stream, deviceId: "any" }, opening),
    })),
    "counts a stream that was closed for ever": changeRecords("streams", () => ({
      close: async () => {},
    })),
    "does not say when a stream may be opened": changeError(
      ({ error }) => error === "rate_limited",
      (_error, _request, response) => withoutHeader(response, "Retry-After"),
    ),
  },
  "changes-take-no-query": {
    "takes a query on its streams": changeRequest((request) =>
      pathOf(request) === CHANGES ? withTarget(request, CHANGES) : request,
    ),
  },
  "changes-are-not-opened-by-head": {
    "opens a stream on HEAD": async (request, { real }) => {
      if (request.method !== "HEAD" || pathOf(request) !== CHANGES) return real(request);
      const response = await real({ ...request, method: "GET" });
      return { ...response, body: null };
    },
  },
  "changes-can-be-read-by-configured-origins": {
    "hides its streams from scripts": changeResponse(isStream, (response) =>
      withoutHeader(response, "Access-Control-Allow-Origin"),
    ),
  },
});

/** Ends every open stream when a request comes. */
function createStreamKiller(kills: (request: RawRequest) => boolean): () => BrokenResponder {
  return () => {
    const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
    return async (request, { real }) => {
      if (kills(request)) {
        for (const controller of open) controller.close();
        open.clear();
      }
      const response = await real(request);
      if (!isStream(response, request)) return response;
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          open.add(controller);
        },
        async pull(controller) {
          const next = await reader.read();
          if (!open.has(own)) return;
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        },
        cancel() {
          open.delete(own);
          return reader.cancel();
        },
      });
      return { ...response, body };
    };
  };
}
