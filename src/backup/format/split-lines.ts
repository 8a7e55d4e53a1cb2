import { BackupRefusedError } from "./backup-format.ts";

/** Far above the text of a row with every column at its limit. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Copies and searches each byte once: a small file unpacks to lines of any length. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const last = chunk.subarray(start, end);
      yield begun.length === 0 ? last : Buffer.concat([...begun, last]);
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > MAX_LINE_BYTES) throw new BackupRefusedError("One of its lines has no end");
  }
  if (begun.length > 0) {
    throw new BackupRefusedError("It is not complete: its last line is cut off");
  }
}
