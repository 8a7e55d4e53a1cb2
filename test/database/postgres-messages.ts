/** The messages of PostgreSQL's protocol: a letter, the length of the rest, and the body; a client's first have no letter. */

export interface PostgresMessage {
  /** Empty for what a client sends at the start. */
  readonly type: string;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

const LENGTH_BYTES = 4;
const SSL_REQUEST = 80_877_103;

/** Returns what takes the bytes as they come, of a connection from its beginning. */
export function createMessageReader(
  sender: "client" | "server",
  onMessage: (message: PostgresMessage) => void,
): (bytes: Uint8Array | string) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = sender === "client" ? 0 : 1;
  return (bytes) => {
    rest = Buffer.concat([rest, typeof bytes === "string" ? Buffer.from(bytes) : bytes]);
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      const body = rest.subarray(typeBytes + LENGTH_BYTES, end);
      const message = {
        type: rest.toString("latin1", 0, typeBytes),
        body,
        bytes: rest.subarray(0, end),
      };
      rest = rest.subarray(end);
      if (typeBytes === 0 && !isSslRequest(message)) typeBytes = 1;
      onMessage(message);
    }
  };
}

/** A client asks so whether the server has TLS, before it says who it is. */
export function isSslRequest({ type, body }: PostgresMessage): boolean {
  return type === "" && body.readUInt32BE(0) === SSL_REQUEST;
}

/** The text of a statement that is sent or prepared, and the name that it is prepared under; null for other messages. */
export function readStatement({
  type,
  body,
}: PostgresMessage): { readonly name: string; readonly text: string } | null {
  const parts = body.toString("utf8").split("\0");
  if (type === "Q") return { name: "", text: parts[0] ?? "" };
  return type === "P" ? { name: parts[0] ?? "", text: parts[1] ?? "" } : null;
}

/** The length counts its own four bytes. */
export function toMessage(type: string, body: string): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(Buffer.byteLength(body) + LENGTH_BYTES);
  return Buffer.concat([Buffer.from(type, "latin1"), length, Buffer.from(body)]);
}
