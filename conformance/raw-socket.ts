import net from "node:net";
import tls from "node:tls";

const IDLE_TIMEOUT_MS = 2_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Where to connect for an origin. A URL writes an IPv6 address in brackets, a socket does not. */
export function readAddress(base: URL): { secure: boolean; host: string; port: number } {
  const secure = base.protocol === "https:";
  return {
    secure,
    host: base.hostname.replace(/^\[|\]$/g, ""),
    port: base.port === "" ? (secure ? 443 : 80) : Number(base.port),
  };
}

/** Sends requests that no HTTP client sends. A server that resets the connection is no error. */
export function sendRawBytes(base: URL, bytes: string): Promise<Uint8Array> {
  const { secure, host, port } = readAddress(base);
  const socket = secure
    ? tls.connect({ host, port, servername: net.isIP(host) === 0 ? host : "" })
    : net.connect({ host, port });
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  let size = 0;
  socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
  socket.on(secure ? "secureConnect" : "connect", () => socket.write(bytes, "latin1"));
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) socket.destroy();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => resolve(Buffer.concat(chunks)));
  return promise;
}
