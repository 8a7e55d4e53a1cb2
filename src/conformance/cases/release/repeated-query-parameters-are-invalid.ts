import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const ANSWERS = [
  ["/api/v1/releases?page=1&page=1", "invalid_pagination"],
  ["/api/v1/releases?limit=10&limit=20", "invalid_pagination"],
  ["/api/v1/releases?channel=stable&channel=stable", "invalid_channel"],
  ["/api/v1/releases/latest?channel=stable&channel=beta", "invalid_channel"],
  ["/api/v1/update/linux?version=1.0.0&version=1.0.0&build=1", "invalid_update_request"],
  ["/api/v1/update/linux?version=1.0.0&build=1&build=2", "invalid_update_request"],
  ["/api/v1/update/linux?version=1.0.0&build=1&channel=stable&channel=stable", "invalid_channel"],
  ["/api/v1/download/linux?channel=stable&channel=stable", "invalid_channel"],
  ["/api/v1/download/linux/x64?channel=beta&channel=stable", "invalid_channel"],
] as const;

export const repeatedQueryParametersAreInvalid: ReleaseCase = {
  id: "repeated-query-parameters-are-invalid",
  title: "A query parameter that comes twice is an invalid value of it, never the first one",
  section: "Trellis decision, shared by all services: repeated query parameters",
  async run({ api }) {
    await expectEach(ANSWERS, async ([path, code]) => {
      expectError(await api.get(path), code);
    });
  },
};
