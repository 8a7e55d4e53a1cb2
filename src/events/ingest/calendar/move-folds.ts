/** RFC 5545 3.1: moves a fold inside a UTF-8 character behind it, to decode text and keep line numbers. */
export function moveFolds(bytes: Uint8Array): Uint8Array {
  const moved = new Uint8Array(bytes.length);
  let end = 0;
  const pending: Fold[] = [];
  for (let index = 0; index < bytes.length;) {
    const length = lengthOfFold(bytes, index);
    if (length > 0 && isContinuation(bytes[index + length])) {
      pending.push({ index, length });
      index += length;
      continue;
    }
    if (pending.length > 0 && !isContinuation(bytes[index])) {
      end = putFolds(bytes, pending, moved, end);
    }
    moved[end++] = bytes[index++] ?? 0;
  }
  putFolds(bytes, pending, moved, end);
  return moved;
}

interface Fold {
  readonly index: number;
  readonly length: number;
}

/** A line end with the space or tab behind it; 0 when there is none. */
function lengthOfFold(bytes: Uint8Array, index: number): number {
  const first = bytes[index];
  if (first !== CR && first !== LF) return 0;
  const lineEnd = first === CR && bytes[index + 1] === LF ? 2 : 1;
  const next = bytes[index + lineEnd];
  return next === SPACE || next === TAB ? lineEnd + 1 : 0;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** The second to fourth byte of a character (RFC 3629 3). */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function putFolds(bytes: Uint8Array, pending: Fold[], moved: Uint8Array, start: number): number {
  let end = start;
  for (const { index, length } of pending.splice(0)) {
    moved.set(bytes.subarray(index, index + length), end);
    end += length;
  }
  return end;
}
