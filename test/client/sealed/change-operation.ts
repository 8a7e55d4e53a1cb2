/** Changes that a server can make to a sealed operation. */
import type { Operation } from "../../../src/contract/sync/operation.ts";

type Members = Record<string, unknown>;

export function envelopeOf({ document }: Pick<Operation, "document">): string {
  return String((document as unknown as Members)["sealed"]);
}

export function withEnvelope(
  operation: Operation,
  change: (envelope: string) => unknown,
): Operation {
  const sealed = change(envelopeOf(operation));
  return { ...operation, document: { ...operation.document, sealed } as Operation["document"] };
}

/** Changes one character of the cipher text. */
export function flip(envelope: string): string {
  return `${envelope.slice(0, -6)}${envelope.at(-6) === "A" ? "B" : "A"}${envelope.slice(-5)}`;
}
