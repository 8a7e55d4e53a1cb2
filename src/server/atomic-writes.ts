/**
 * Workers share one standard output. On a pipe a write of up to `PIPE_BUF` bytes is atomic; a longer one may be
 * taken in parts, and another worker may write between them, which would mix lines.
 */
import type { Writable } from "node:stream";
import type { LogStream } from "./log-output.ts";

/** POSIX promises 512 bytes, Linux has 4,096. */
const PIPE_BUF = process.platform === "linux" ? 4096 : 512;
const LINE_FEED = 0x0a;

interface Piece {
  readonly bytes: Uint8Array;
  onWritten(error?: Error | null): void;
}

/** Writes text of whole lines in pieces of whole lines, one at a time: a stream would join those that wait. */
export function withAtomicWrites(
  stream: Pick<Writable, "write">,
  maxBytes: number = PIPE_BUF,
): LogStream {
  const queue: Piece[] = [];
  let queuedBytes = 0;
  let isWriting = false;

  function writeNext(): void {
    const piece = queue.shift();
    isWriting = piece !== undefined;
    if (piece === undefined) return;
    stream.write(piece.bytes, (error) => {
      queuedBytes -= piece.bytes.length;
      piece.onWritten(error);
      writeNext();
    });
  }

  return {
    get writableLength() {
      return queuedBytes;
    },
    write(text, onWritten) {
      const pieces = splitLines(Buffer.from(text), maxBytes);
      let unwritten = pieces.length;
      let failure: Error | null | undefined;
      const onPiece = (error?: Error | null) => {
        failure ??= error;
        unwritten--;
        if (unwritten === 0) onWritten(failure);
      };
      for (const bytes of pieces) {
        queuedBytes += bytes.length;
        queue.push({ bytes, onWritten: onPiece });
      }
      if (!isWriting) writeNext();
    },
  };
}

function splitLines(text: Buffer, maxBytes: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start, maxBytes);
    pieces.push(text.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** A line that is longer than a piece may be is a piece of its own. */
function endOfPiece(text: Buffer, start: number, maxBytes: number): number {
  if (start + maxBytes >= text.length) return text.length;
  const last = text.lastIndexOf(LINE_FEED, start + maxBytes - 1);
  return (last >= start ? last : text.indexOf(LINE_FEED, start)) + 1;
}
