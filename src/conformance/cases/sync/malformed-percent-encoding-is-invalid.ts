import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { AUTHORIZE } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

const PATHS = ["/v1/%zz", "/%", "/v1/health?%zz", "/v1/pull?cursor=%E0%A4%A", "/v1/pull?limit=%"];

export const malformedPercentEncodingIsInvalid: SyncCase = {
  id: "malformed-percent-encoding-is-invalid",
  title: "A broken escape in a path or a query is 400",
  section: "Trellis decision, shared by all services and sync service: malformed percent-encoding",
  async run({ api }) {
    await expectEach(
      PATHS,
      async (path) => void expectError(await api.get(path), "invalid_request"),
    );
    expectError(await api.get(`${AUTHORIZE}?state=%zz`), "invalid_authorization_request");
  },
};
