/**
 * Operations as bytes on their way between threads: those need not be copied, and while they wait to
 * be unpacked they are no concern of the garbage collector's.
 */
import type { NewOperation } from "../rules/sync/new-operation.ts";

/** In none of the texts: JSON has control characters only escaped, and no id has one. */
const SEPARATOR = "\0";
const TEXTS_OF_ONE = 4;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

export function packOperations(operations: readonly NewOperation[]): Uint8Array<ArrayBuffer> {
  const texts: string[] = [];
  for (const { text, operationId, entityId, state } of operations) {
    texts.push(text, operationId, entityId, state);
  }
  return ENCODER.encode(texts.join(SEPARATOR));
}

/** Of at least one operation. */
export function unpackOperations(packed: Uint8Array): NewOperation[] {
  const texts = DECODER.decode(packed).split(SEPARATOR);
  const operations: NewOperation[] = [];
  for (let index = 0; index < texts.length; index += TEXTS_OF_ONE) {
    operations.push({
      text: texts[index] as string,
      operationId: texts[index + 1] as string,
      entityId: texts[index + 2] as string,
      state: texts[index + 3] as string,
    });
  }
  return operations;
}
