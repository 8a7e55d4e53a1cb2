/** Writes lines to a new private file, through a stream: memory stays flat whatever comes. */
import { createWriteStream } from "node:fs";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

const CHUNK_CHARACTERS = 64 * 1024;

/** It is on the disk when this settles. */
export async function writeLines(
  path: string,
  lines: AsyncIterable<string>,
  transform: Transform | null = null,
): Promise<void> {
  const source = Readable.from(toChunks(lines), { objectMode: false });
  const target = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  await (transform === null ? pipeline(source, target) : pipeline(source, transform, target));
}

async function* toChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = "";
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
