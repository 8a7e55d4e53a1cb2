/**
 * A response body of server-sent events (HTML, 9.2). It has no timer and no queue: of the events of a name that a
 * slow client has not taken yet only the newest is kept.
 */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends an event once the client takes it, unless a newer one of the name replaces it before. */
  send(name: string, event: Uint8Array): void;
  /** Sends a comment, unless an event waits: the client does not read on then. */
  beat(): void;
  end(): void;
}

export const EVENT_STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // nginx would otherwise keep events back until its buffer is full.
  "X-Accel-Buffering": "no",
} as const;

const encoder = new TextEncoder();
const COMMENT = encoder.encode(":\n\n");

/** An event as the bytes that all streams can share. `name` and `data` have no line breaks. */
export function encodeEvent(name: string, data: string): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${data}\n\n`);
}

/** `onCancel` is called when the client goes away, and not after `end`. */
export function createEventStream(onCancel: () => void): EventStream {
  const pending = new Map<string, Uint8Array>();
  let isWanted = false;
  let isOver = false;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        isWanted = true;
        flush();
      },
      cancel() {
        isOver = true;
        onCancel();
      },
    },
    // The stream takes nothing ahead of the client.
    { highWaterMark: 0 },
  );

  function flush(): void {
    const [next] = pending;
    if (!isWanted || next === undefined || isOver) return;
    isWanted = false;
    const [name, bytes] = next;
    pending.delete(name);
    controller.enqueue(bytes);
  }

  return {
    body,
    send(name, event) {
      pending.set(name, event);
      flush();
    },
    beat() {
      if (pending.size === 0) pending.set("", COMMENT);
      flush();
    },
    end() {
      if (isOver) return;
      isOver = true;
      controller.close();
    },
  };
}
