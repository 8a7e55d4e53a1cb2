/**
 * Bounds how many bodies of a device are received at once. A body is received when the store knows the
 * device, and without a turn, so that a slow client does not hold up others.
 */
import type { RawRequest } from "../../http/request.ts";

export interface BodyRooms {
  /** A place for the body of one request; null when as many requests of this key wait as may. */
  reserve(key: string): BodyPlace | null;
}

export interface BodyPlace {
  /** Resolves when the body may be received; rejects when its client has gone meanwhile. */
  enter(signal: AbortSignal | undefined): Promise<void>;
  /** Makes room for the next body; may be called again. */
  leave(): void;
}

export interface RoomLimits {
  /** The bodies that are received, or wait for their turn, at once. */
  readonly atOnce: number;
  /** The requests whose bodies are not read yet. */
  readonly maxWaiting: number;
}

interface Room {
  places: number;
  entered: number;
  readonly waiting: Set<() => void>;
}

export function createBodyRooms({ atOnce, maxWaiting }: RoomLimits): BodyRooms {
  const rooms = new Map<string, Room>();

  function admitNext(room: Room): void {
    for (const admit of room.waiting) {
      if (room.entered >= atOnce) return;
      room.waiting.delete(admit);
      room.entered++;
      admit();
    }
  }

  return {
    reserve(key) {
      const room = rooms.get(key) ?? { places: 0, entered: 0, waiting: new Set() };
      if (room.places >= atOnce + maxWaiting) return null;
      rooms.set(key, room);
      room.places++;
      let hasEntered = false;
      let hasLeft = false;
      const leave = () => {
        if (hasLeft) return;
        hasLeft = true;
        if (hasEntered) room.entered--;
        room.places--;
        if (room.places === 0) rooms.delete(key);
        admitNext(room);
      };
      return {
        leave,
        enter: (signal) =>
          new Promise<void>((resolve, reject) => {
            const admit = () => {
              hasEntered = true;
              resolve();
            };
            room.waiting.add(admit);
            admitNext(room);
            if (hasEntered) return;
            const giveUp = () => {
              if (!room.waiting.delete(admit)) return;
              leave();
              reject(new Error("The client has gone"));
            };
            if (signal?.aborted === true) giveUp();
            else signal?.addEventListener("abort", giveUp, { once: true });
          }),
      };
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
