import { expectEach } from "../../expect.ts";
import { expectError } from "../../release/bodies.ts";
import type { ReleaseCase } from "../../release/target.ts";

const METHODS = ["POST", "PUT", "PATCH", "DELETE"];
const PATHS = ["/health", "/download", "/api/v1/manifest", "/api/v1/releases"];

export const otherMethodsAreNotFound: ReleaseCase = {
  id: "other-methods-are-not-found",
  title: "A known path asked with another method than GET or HEAD is 404 not_found",
  section: "release contract, Endpoints: all routes are GET; Trellis decision: other methods",
  async run({ api }) {
    const questions = PATHS.flatMap((path) => METHODS.map((method) => ({ path, method })));
    await expectEach(questions, async ({ path, method }) => {
      expectError(await api.send(method, path), "not_found");
    });
  },
};
