/** A turn that is given up while the body of its request is received: clients send as slowly as they like. */
import type { RawRequest } from "../../http/request.ts";
import type { EndTurn, FairTurns } from "./fair-turns.ts";

export interface PausableTurn {
  /** May be called again. */
  end(): void;
  /** Takes another turn, for which nothing that was admitted before is refused. */
  resume(): Promise<void>;
}

export function holdTurn(
  first: EndTurn,
  takeNext: () => ReturnType<FairTurns["take"]>,
): PausableTurn {
  let end: EndTurn | null = first;
  return {
    end() {
      end?.();
      end = null;
    },
    async resume() {
      end = await takeNext();
    },
  };
}

/**
 * The request, whose body is received when the service asks for it: after its checks of the head, such as
 * the token, and as `enter` allows.
 */
export function pauseForBody(
  request: RawRequest,
  turn: PausableTurn,
  enter: () => Promise<void>,
): RawRequest {
  return {
    method: request.method,
    target: request.target,
    remoteAddress: request.remoteAddress,
    header: (name) => request.header(name),
    async *body() {
      turn.end();
      try {
        await enter();
        yield* request.body();
      } finally {
        await turn.resume();
      }
    },
  };
}
