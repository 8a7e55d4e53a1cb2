/** What went over the wire, as far as the oracle needs it. */
import type { Operation } from "../../../src/client/index.ts";

export interface WireRecord {
  noteRequest(url: string, init: RequestInit): void;
  noteResponse(label: string, status: number, text: string): void;
  /** Every operation that a client sent, received or not, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** What must never happen, whatever the network does. */
  readonly errors: readonly string[];
}

const TOKEN = /trs_[ar]t_[\w-]{20}/;

export function hasToken(text: string): boolean {
  return TOKEN.test(text);
}

export function createWireRecord(): WireRecord {
  const operations = new Map<string, Operation>();
  const errors: string[] = [];

  function noteOperation(operation: Operation): void {
    const known = operations.get(operation.operationId);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(operation)) {
      errors.push(`${operation.operationId} was sent with two contents`);
    }
    operations.set(operation.operationId, operation);
  }

  return {
    operations,
    errors,
    noteRequest(url, init) {
      if (hasToken(url)) errors.push("A token is in a URL");
      if (!url.endsWith("/v1/push")) return;
      const body = JSON.parse(String(init.body)) as { operations: Operation[] };
      body.operations.forEach(noteOperation);
    },
    noteResponse(label, status, text) {
      const isQuota = /used up|quota_exceeded/.test(text);
      if (status >= 500 && !isQuota) errors.push(`${label} got ${status}: ${text}`);
      if (text.includes("invalid_request")) errors.push(`${label} got ${status}: ${text}`);
    },
  };
}
