/** Another method on a known path is refused, and `Allow` names those there are. */
import { expectEach, expectSame } from "../expect.ts";
import type { HttpResponse, Origin } from "../http.ts";

const TRIED = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** By path, which methods it takes. */
export type MethodTable = Readonly<Record<string, readonly string[]>>;

export async function expectOtherMethodsRefused(
  api: Origin,
  methods: MethodTable,
  expectRefusal: (answer: HttpResponse) => void,
): Promise<void> {
  const questions = Object.entries(methods).flatMap(([path, allowed]) =>
    TRIED.filter((method) => !allowed.includes(method)).map((method) => ({
      method,
      path,
      allowed,
    })),
  );
  await expectEach(questions, async ({ method, path, allowed }) => {
    const answer = await api.send(method, path);
    expectRefusal(answer);
    const named = (answer.header("Allow") ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && name !== "OPTIONS");
    expectSame(answer, "Allow", named.toSorted(), allowed.toSorted());
  });
}
