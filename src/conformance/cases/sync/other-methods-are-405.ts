import { expectEach, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { METHODS } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

const TRIED = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const otherMethodsAre405: SyncCase = {
  id: "other-methods-are-405",
  title: "Another method on a known path is 405, and Allow names those there are",
  section: "Trellis decision, shared by all services: other methods",
  async run({ api }) {
    const questions = Object.entries(METHODS).flatMap(([path, allowed]) =>
      TRIED.filter((method) => !allowed.includes(method)).map((method) => ({
        method,
        path,
        allowed,
      })),
    );
    await expectEach(questions, async ({ method, path, allowed }) => {
      const answer = await api.send(method, path);
      expectError(answer, "method_not_allowed");
      const named = (answer.header("Allow") ?? "")
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "" && name !== "OPTIONS");
      expectSame(answer, "Allow", named.toSorted(), allowed.toSorted());
    });
  },
};
