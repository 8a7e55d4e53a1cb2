/** Reads a stream of pieces from its beginning to its end, by lengths. */
import { damaged } from "./budget.ts";

export interface ByteCursor {
  /** Exactly these bytes. */
  take(length: number): Promise<Buffer>;
  /** Fewer bytes at the end. */
  takeUpTo(length: number): Promise<Buffer>;
  skip(length: number): Promise<void>;
}

export function createByteCursor(pieces: AsyncIterable<Buffer>): ByteCursor {
  const source = pieces[Symbol.asyncIterator]();
  let piece: Buffer = Buffer.alloc(0);

  async function advance(): Promise<boolean> {
    const next = await source.next();
    if (next.done === true) return false;
    piece = next.value;
    return true;
  }

  async function takeUpTo(length: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    let left = length;
    while (left > 0 && (piece.length > 0 || (await advance()))) {
      const part = piece.subarray(0, left);
      piece = piece.subarray(part.length);
      taken.push(part);
      left -= part.length;
    }
    return Buffer.concat(taken);
  }

  return {
    takeUpTo,
    async take(length) {
      const bytes = await takeUpTo(length);
      if (bytes.length < length) throw damaged();
      return bytes;
    },
    async skip(length) {
      let left = length;
      while (left > 0) {
        if (piece.length === 0 && !(await advance())) throw damaged();
        const skipped = Math.min(left, piece.length);
        piece = piece.subarray(skipped);
        left -= skipped;
      }
    },
  };
}

/** The first bytes of a stream of pieces, of which the rest is not produced. */
export async function readStart(pieces: AsyncIterable<Buffer>, length: number): Promise<Buffer> {
  const taken: Buffer[] = [];
  let left = length;
  for await (const piece of pieces) {
    taken.push(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  return Buffer.concat(taken);
}
