/** Receives the bodies of requests before their turns, so that a slow client does not hold up others. */
import type { RawRequest } from "../../http/request.ts";

export interface ReceivedRequest {
  readonly request: RawRequest;
  /** Makes room for the next body of the instance. */
  release(): void;
}

export interface BodyReceiver {
  /** Null when as many requests of the instance wait as may. */
  receive(name: string, request: RawRequest, maxBytes: number): Promise<ReceivedRequest> | null;
}

export interface ReceiverLimits {
  /** The bodies of an instance that are received, or wait for their turn, at once. */
  readonly atOnce: number;
  /** The requests of an instance whose bodies are not read yet. */
  readonly maxWaiting: number;
}

interface Room {
  taken: number;
  readonly waiting: (() => void)[];
}

export function createBodyReceiver({ atOnce, maxWaiting }: ReceiverLimits): BodyReceiver {
  const rooms = new Map<string, Room>();

  function leave(name: string, room: Room): void {
    const next = room.waiting.shift();
    if (next !== undefined) return next();
    room.taken--;
    if (room.taken === 0) rooms.delete(name);
  }

  async function receiveIn(
    name: string,
    room: Room,
    entered: Promise<void> | null,
    request: RawRequest,
    maxBytes: number,
  ): Promise<ReceivedRequest> {
    if (entered !== null) await entered;
    let isReleased = false;
    const release = () => {
      if (!isReleased) leave(name, room);
      isReleased = true;
    };
    return { request: await bufferBody(request, maxBytes), release };
  }

  return {
    receive(name, request, maxBytes) {
      const room = rooms.get(name) ?? { taken: 0, waiting: [] };
      rooms.set(name, room);
      if (room.taken < atOnce) {
        room.taken++;
        return receiveIn(name, room, null, request, maxBytes);
      }
      if (room.waiting.length >= maxWaiting) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      room.waiting.push(resolve);
      return receiveIn(name, room, promise, request, maxBytes);
    },
  };
}

/** The request with what came of its body, as far as `maxBytes` allows: a reader meets the same as before. */
export async function bufferBody(request: RawRequest, maxBytes: number): Promise<RawRequest> {
  const chunks: Uint8Array[] = [];
  let failure: { readonly error: unknown } | null = null;
  // A body that says it is too large is refused by its length.
  if (Number(request.header("content-length") ?? 0) <= maxBytes) {
    let size = 0;
    try {
      for await (const chunk of request.body()) {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size > maxBytes) break;
      }
    } catch (error) {
      failure = { error };
    }
  }
  return {
    method: request.method,
    target: request.target,
    remoteAddress: request.remoteAddress,
    header: (name) => request.header(name),
    async *body() {
      yield* chunks;
      if (failure !== null) throw failure.error;
    },
  };
}
