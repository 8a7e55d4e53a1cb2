import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

const CHUNK_BYTES = 1024 * 1024;

export class ChangedFileError extends Error {
  constructor(path: string) {
    super(`"${path}" changed while it was read: wait until it is built, and run the command again`);
    this.name = "ChangedFileError";
  }
}

/** Streams exactly `size` bytes of a file, which is never held in memory as a whole. */
export async function* streamFile(
  { path, size }: { readonly path: string; readonly size: number },
  onProgress?: (doneBytes: number, totalBytes: number) => void,
): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const bytes = chunk as Buffer;
    done += bytes.length;
    if (done > size) throw new ChangedFileError(path);
    yield bytes;
    onProgress?.(done, size);
  }
  if (done < size) throw new ChangedFileError(path);
}

/** The digest of a stream in hexadecimal. */
export async function sha256OfStream(stream: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
