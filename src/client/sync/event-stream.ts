/** Reads a stream of server-sent events (HTML Standard, 9.2.6). */
import { readChunks, type ByteSource } from "../transport/byte-source.ts";

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** An event of our server is shorter than a line; anything longer is no such stream. */
const MAX_LINE = 16_384;

/** `onBytes` is called for every chunk, comments included: the connection is alive. */
export async function* readEventStream(
  source: ByteSource,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let event = "";
  let data: string[] = [];
  for await (const chunk of readChunks(source)) {
    onBytes();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) return;
    for (const line of lines) {
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (name === "event") event = value;
      else if (name === "data") data.push(value);
      else if (line === "") {
        if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
        event = "";
        data = [];
      }
    }
  }
}
