import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Checker } from "../src/contract/check.ts";
import type { Members } from "../src/contract/is-object.ts";
import { ConformanceError, type CaseFailure } from "./case.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { Origin, ReceivedResponse } from "./http.ts";

const MAX_SHOWN = 300;

/** `asked` is the request, or the response to it. */
export function fail(asked: string | ReceivedResponse, expected: string, received: string): never {
  const request = typeof asked === "string" ? asked : asked.asked;
  throw new ConformanceError({ asked: request, expected, received });
}

export function expectStatus(response: ReceivedResponse, ...statuses: number[]): void {
  if (statuses.includes(response.status)) return;
  fail(response, `status ${statuses.join(" or ")}`, describeResponse(response));
}

/** Expects the header with exactly this value, or no header when the value is undefined. */
export function expectHeader(
  response: ReceivedResponse,
  name: string,
  value: string | undefined,
): void {
  const received = response.header(name);
  if (received === value) return;
  fail(response, describeHeader(name, value), describeHeader(name, received));
}

/** Returns the value of the header; `inWords` describes the pattern in the report. */
export function expectHeaderMatch(
  response: ReceivedResponse,
  name: string,
  pattern: RegExp,
  inWords: string,
): string {
  const received = response.header(name);
  if (received !== undefined && pattern.test(received)) return received;
  return fail(response, `${name} with ${inWords}`, describeHeader(name, received));
}

export function expectNoBody(response: ReceivedResponse): void {
  if (response.body.length === 0) return;
  fail(response, "no body", `a body of ${response.body.length} bytes`);
}

export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";

/** Expects a UTF-8 JSON body of exactly the declared shape: an unlisted member is an error too. */
export function expectBody<T>(response: ReceivedResponse, checker: Checker<T>): T {
  expectHeader(response, "Content-Type", JSON_CONTENT_TYPE);
  return expectShape(response, expectJson(response), checker, "a body of the declared shape");
}

export function expectShape<T>(
  response: ReceivedResponse,
  value: unknown,
  checker: Checker<T>,
  expected: string,
): T {
  if (checker.is(value)) return value;
  throw new ConformanceError(
    ...checker.errors(value).map(({ path, problem }) => ({
      asked: response.asked,
      expected,
      received: `one in which ${path === "" ? "the whole" : path} ${problem}`,
    })),
  );
}

/** Makes an expectation of status 200 and a body of this shape. */
export function createBodyExpectation<T>(checker: Checker<T>): (response: ReceivedResponse) => T {
  return (response) => {
    expectStatus(response, 200);
    return expectBody(response, checker);
  };
}

export function expectJson(response: ReceivedResponse): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(response.body));
  } catch {
    return fail(response, "a UTF-8 JSON body", describeResponse(response));
  }
}

/** The object once for each wrong value of a member; undefined stands for an absent member. */
export function withEachWrong(
  valid: Members,
  wrongValues: Readonly<Record<string, readonly unknown[]>>,
): Members[] {
  return Object.entries(wrongValues).flatMap(([name, values]) =>
    values.map((value) => ({ ...valid, [name]: value })),
  );
}

/** Compares member by member; the failure names the first member that differs. */
export function expectSame(
  asked: string | ReceivedResponse,
  what: string,
  received: unknown,
  expected: unknown,
): void {
  if (isDeepStrictEqual(received, expected)) return;
  const difference = findDifference(received, expected, "");
  const place = difference.path === "" ? what : `${what} with ${difference.path}`;
  fail(asked, `${place} ${describeValue(difference.expected)}`, describeValue(difference.received));
}

interface Difference {
  readonly path: string;
  readonly received: unknown;
  readonly expected: unknown;
}

function findDifference(received: unknown, expected: unknown, path: string): Difference {
  if (!isContainer(received) || !isContainer(expected)) return { path, received, expected };
  if (Array.isArray(received) !== Array.isArray(expected)) return { path, received, expected };
  const names = Object.keys({ ...expected, ...received });
  const name = names.find((key) => !isDeepStrictEqual(received[key], expected[key])) ?? "";
  const step = Array.isArray(expected) ? `[${name}]` : path === "" ? name : `.${name}`;
  return findDifference(received[name], expected[name], path + step);
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The expectations of a service's errors. `codeOf` finds the code in the body of an error. */
export function createErrorExpectations<Body, Code extends string>(
  errors: Readonly<Record<Code, { readonly status: number }>>,
  checker: Checker<Body>,
  codeOf: (body: Body) => Code,
) {
  function expectAnyError(response: ReceivedResponse, expected = "an error"): Body {
    if (response.status < 400) fail(response, expected, describeResponse(response));
    return expectBody(response, checker);
  }
  /** The status is the one that the contract gives the code, unless another one is given. */
  function expectError(response: ReceivedResponse, code: Code, status = errors[code].status): Body {
    const expected = `status ${status} ${code}`;
    const body = expectAnyError(response, expected);
    if (response.status === status && codeOf(body) === code) return body;
    return fail(response, expected, `status ${response.status} ${codeOf(body)}`);
  }
  /** Every request gets this error. */
  function expectErrors<T>(
    code: Code,
    items: Iterable<T>,
    send: (item: T) => Promise<ReceivedResponse>,
  ): Promise<void> {
    return expectEach(items, async (item) => expectError(await send(item), code));
  }
  /** Every path responds to GET with this error. */
  function expectErrorAt(origin: Pick<Origin, "get">, code: Code, paths: readonly string[]) {
    return expectErrors(code, paths, (path) => origin.get(path));
  }
  return { expectAnyError, expectError, expectErrors, expectErrorAt };
}

/** Checks the items one after the other, and reports every failure instead of the first. */
export async function expectEach<T>(
  items: Iterable<T>,
  check: (item: T) => unknown,
): Promise<void> {
  const failures: CaseFailure[] = [];
  for (const item of items) {
    try {
      await check(item);
    } catch (error) {
      if (!(error instanceof ConformanceError)) throw error;
      failures.push(...error.failures);
    }
  }
  if (failures.length > 0) throw new ConformanceError(...failures);
}

const POLL_MS = 10;

/** Polls until the condition holds. */
export async function expectSoon(
  asked: string | ReceivedResponse,
  what: string,
  timeoutMs: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const givesUpAt = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > givesUpAt) fail(asked, what, `none within ${timeoutMs / 1000} seconds`);
    await wait(POLL_MS);
  }
}

export function describeResponse(response: ReceivedResponse): string {
  const text = shorten(hideSecrets(Buffer.from(response.body).toString("utf8")));
  return text === "" ? `status ${response.status}` : `status ${response.status} with ${text}`;
}

export function describeValue(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value));
}

function describeHeader(name: string, value: string | undefined): string {
  return value === undefined ? `no ${name}` : `${name}: ${shorten(value)}`;
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
