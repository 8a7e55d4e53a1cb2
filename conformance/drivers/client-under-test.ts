/** The client that a run tests, by its driver. */
import { randomBytes } from "node:crypto";
import type { Checker } from "../../src/contract/check.ts";
import { ConformanceError } from "../case.ts";
import { describeValue, fail } from "../expect.ts";
import type { Driver } from "./driver.ts";

export interface ClientUnderTest {
  /** The time zone in which it runs. */
  readonly timeZone: string;
  /** A new secret of this kind, such as an access token. From now on no output of the driver may have it. */
  secret(kind: string): string;
  /** A secret that the client has nowhere else to store than in its state, which alone may have it. */
  storedSecret(kind: string): string;
  /** Runs the driver; `asked` is the task in words. Returns its result, of the declared shape. */
  tell<T>(asked: string, task: object, shape: Checker<T>): Promise<T>;
}

interface Secret {
  readonly kind: string;
  readonly isStored: boolean;
}

export function createClientUnderTest(driver: Driver): ClientUnderTest {
  const secrets = new Map<string, Secret>();
  const create = (secret: Secret) => {
    const text = randomBytes(24).toString("base64url");
    secrets.set(text, secret);
    return text;
  };
  return {
    timeZone: driver.timeZone,
    secret: (kind) => create({ kind, isStored: false }),
    storedSecret: (kind) => create({ kind, isStored: true }),
    async tell(asked, task, shape) {
      const { result, notes } = await driver.run(task);
      const { state, ...shown } = result.kind === "done" ? result.value : {};
      const outside = notes + JSON.stringify(shown);
      const everything = outside + JSON.stringify(state ?? null);
      for (const [text, { kind, isStored }] of secrets) {
        if (!(isStored ? outside : everything).includes(text)) continue;
        const expected = isStored ? "no secret outside of the state" : "no secret in any output";
        fail(asked, expected, `the ${kind}, printed`);
      }
      if (result.kind === "failed") {
        fail(DRIVER, "a result on standard output, and exit code 0", `it ${result.reason}`);
      }
      return readShape(asked, result.value, shape);
    },
  };
}

/** One text for all tasks, so that a report explains a driver that does not run only once. */
const DRIVER = "the driver";

function readShape<T>(asked: string, value: unknown, checker: Checker<T>): T {
  if (checker.is(value)) return value;
  const received = describeValue(value);
  throw new ConformanceError(
    ...checker.errors(value).map(({ path, problem }) => ({
      asked,
      expected: "a result of the declared shape",
      received: `${received}, in which ${path === "" ? "the whole" : path} ${problem}`,
    })),
  );
}
