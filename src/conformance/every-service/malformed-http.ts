/** Bytes that are no HTTP, for a server that has to go on after them. */
import type { Origin } from "../http.ts";

/** `read` is a path that takes GET, `write` one that is posted to. */
export async function sendMalformedHttp(api: Origin, read: string, write: string): Promise<void> {
  const garbage = [
    "\u0000\u0001\u0002\u0003\r\n\r\n",
    "GET\r\n\r\n",
    `GET ${read}\r\n\r\n`,
    `GET ${read} HTTP/9.9\r\nHost: x\r\n\r\n`,
    `GET ${read} HTTP/1.1\r\n\r\n`,
    `GET ${read} HTTP/1.1\r\nHost: x\r\nNo colon here\r\n\r\n`,
    `GET ${read} HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n`,
    "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET ?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    `POST ${write} HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n`,
    `POST ${write} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `POST ${write} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ];
  await Promise.all(garbage.map((bytes) => api.exchange(bytes)));
}
