import { expectHealth } from "../../sync/bodies.ts";
import { sendMalformedHttp } from "../../every-service/malformed-http.ts";
import type { SyncCase } from "../../sync/target.ts";

export const malformedHttpDoesNotStopTheServer: SyncCase = {
  id: "malformed-http-does-not-stop-the-server",
  title: "Bytes that are no HTTP do not keep the server from answering the next request",
  section: "sync contract, Endpoints: GET /v1/health; Errors 1",
  async run({ api }) {
    await sendMalformedHttp(api, "/v1/health", "/v1/token");
    expectHealth(await api.get("/v1/health"));
  },
};
