import { expectHealth } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

const GARBAGE = [
  "\u0000\u0001\u0002\u0003\r\n\r\n",
  "GET\r\n\r\n",
  "GET /v1/health HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nHost: x\r\nNo colon here\r\n\r\n",
  "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET ?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "POST /v1/token HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
  "POST /v1/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
  "POST /v1/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
];

export const malformedHttpDoesNotStopTheServer: SyncCase = {
  id: "malformed-http-does-not-stop-the-server",
  title: "Bytes that are no HTTP do not keep the server from answering the next request",
  section: "sync contract, Endpoints: GET /v1/health; Errors 1",
  async run({ api }) {
    await Promise.all(GARBAGE.map((bytes) => api.exchange(bytes)));
    expectHealth(await api.get("/v1/health"));
  },
};
