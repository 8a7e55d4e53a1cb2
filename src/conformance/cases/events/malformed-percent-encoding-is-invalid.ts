import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const malformedPercentEncodingIsInvalid: EventsCase = {
  id: "malformed-percent-encoding-is-invalid",
  level: "trellis",
  title: "A broken escape in a path is 400",
  section: "Trellis decision, shared by all services: malformed percent-encoding",
  async run({ api }) {
    await expectEach(["/%zz", "/api/%", "/api/%ff"], async (path) => {
      expectError(await api.get(path), "invalid_request");
    });
  },
};
