import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

const TYPES = [
  "application/json; charset=utf-8",
  "Application/JSON",
  "application/json;charset=UTF-8",
];

export const jsonMayNameItsCharset: SyncCase = {
  id: "json-may-name-its-charset",
  title: "Letter case and a charset parameter do not change that a body is JSON",
  section: "sync contract, General request rules 1; RFC 9110, 8.3.1",
  async run(target) {
    await expectEach(TYPES, async (type) => {
      const body = JSON.stringify({ grantType: "refresh_token", refreshToken: "none" });
      const answer = await target.api.send("POST", "/v1/refresh", { "Content-Type": type }, body);
      expectError(answer, "invalid_refresh_token");
    });
  },
};
