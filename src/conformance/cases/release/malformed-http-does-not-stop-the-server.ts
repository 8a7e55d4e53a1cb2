import { expectHealth } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const GARBAGE = [
  "\u0000\u0001\u0002\u0003\r\n\r\n",
  "GET\r\n\r\n",
  "GET /health\r\n\r\n",
  "GET /health HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET /health HTTP/1.1\r\n\r\n",
  "GET /health HTTP/1.1\r\nHost: x\r\nNo colon here\r\n\r\n",
  "GET /health HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n",
  "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET ?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
  "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
  "POST /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
];

export const malformedHttpDoesNotStopTheServer: ReleaseCase = {
  id: "malformed-http-does-not-stop-the-server",
  title: "Bytes that are no HTTP do not keep the server from answering the next request",
  section: "release contract, GET /health; Errors: any undeclared failure is one answer",
  async run({ api }) {
    await Promise.all(GARBAGE.map((bytes) => api.exchange(bytes)));
    expectHealth(await api.get("/health"));
  },
};
