/** Long text in chunks, of which memory holds one at a time. */

const CHUNK_CHARACTERS = 64 * 1024;

export async function* toChunks(pieces: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
  return undefined;
}

export async function* endLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
