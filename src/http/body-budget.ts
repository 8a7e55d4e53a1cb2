/** Bounds what the bodies of several requests take together while they are received. */
import type { RawRequest } from "./request.ts";

export interface BodyBudget {
  /** The request, with a body that fails with `BodyBudgetError` when it exceeds the budget. */
  limit(request: RawRequest): RawRequest;
}

export class BodyBudgetError extends Error {
  constructor() {
    super("Too many bodies are being received");
    this.name = "BodyBudgetError";
  }
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  let taken = 0;

  async function* receive(request: RawRequest): AsyncGenerator<Uint8Array> {
    let own = 0;
    try {
      for await (const chunk of request.body()) {
        if (taken + chunk.byteLength > maxBytes) throw new BodyBudgetError();
        taken += chunk.byteLength;
        own += chunk.byteLength;
        yield chunk;
      }
    } finally {
      taken -= own;
    }
  }

  return {
    limit: (request) => ({
      method: request.method,
      target: request.target,
      remoteAddress: request.remoteAddress,
      header: (name) => request.header(name),
      body: () => receive(request),
    }),
  };
}
