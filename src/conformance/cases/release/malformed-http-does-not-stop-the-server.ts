import { expectHealth } from "../../release/bodies.ts";
import { sendMalformedHttp } from "../../every-service/malformed-http.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const malformedHttpDoesNotStopTheServer: ReleaseCase = {
  id: "malformed-http-does-not-stop-the-server",
  title: "Bytes that are no HTTP do not keep the server from answering the next request",
  section: "release contract, GET /health; Errors: any undeclared failure is one answer",
  async run({ api }) {
    await sendMalformedHttp(api, "/health", "/health");
    expectHealth(await api.get("/health"));
  },
};
