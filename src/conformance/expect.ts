/** Expectations on answers. Each throws a violation that says what was asked, expected and received. */
import { isDeepStrictEqual } from "node:util";
import type { Checker } from "../contract/check.ts";
import { ViolationError, type Violation } from "./case.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { HttpResponse } from "./http.ts";

const MAX_SHOWN = 300;

export function violate(asked: string, expected: string, received: string): never {
  throw new ViolationError([{ asked, expected, received }]);
}

export function expectStatus(answer: HttpResponse, ...statuses: number[]): void {
  if (statuses.includes(answer.status)) return;
  violate(answer.asked, `status ${statuses.join(" or ")}`, describeAnswer(answer));
}

/** The header with exactly this value, or absent when the value is undefined. */
export function expectHeader(answer: HttpResponse, name: string, value: string | undefined): void {
  const received = answer.header(name);
  if (received === value) return;
  violate(answer.asked, describeHeader(name, value), describeHeader(name, received));
}

/** The header's value, which matches a pattern that is said in words. */
export function expectHeaderMatch(
  answer: HttpResponse,
  name: string,
  pattern: RegExp,
  inWords: string,
): string {
  const received = answer.header(name);
  if (received !== undefined && pattern.test(received)) return received;
  return violate(answer.asked, `${name} with ${inWords}`, describeHeader(name, received));
}

export function expectNoBody(answer: HttpResponse): void {
  if (answer.body.length === 0) return;
  violate(answer.asked, "no body", `a body of ${answer.body.length} bytes`);
}

export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";

/** A UTF-8 JSON body of exactly the declared shape: an unlisted member is a violation too. */
export function expectBody<T>(answer: HttpResponse, checker: Checker<T>): T {
  expectHeader(answer, "Content-Type", JSON_CONTENT_TYPE);
  const value = readJson(answer);
  if (checker.is(value)) return value;
  throw new ViolationError(
    checker.faults(value).map(({ path, problem }) => ({
      asked: answer.asked,
      expected: "a body of the declared shape",
      received: `one in which ${path === "" ? "the whole" : path} ${problem}`,
    })),
  );
}

export function readJson(answer: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.body));
  } catch {
    return violate(answer.asked, "a UTF-8 JSON body", describeAnswer(answer));
  }
}

/** Two values are the same, member by member; the violation names the first that differs. */
export function expectSame(
  asked: string | HttpResponse,
  what: string,
  received: unknown,
  expected: unknown,
): void {
  if (isDeepStrictEqual(received, expected)) return;
  const difference = findDifference(received, expected, "");
  const place = difference.path === "" ? what : `${what} with ${difference.path}`;
  violate(
    typeof asked === "string" ? asked : asked.asked,
    `${place} ${describeValue(difference.expected)}`,
    describeValue(difference.received),
  );
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

/** Checks every item, one after the other, and reports all that fail instead of the first. */
export async function expectEach<T>(
  items: Iterable<T>,
  check: (item: T) => Promise<void> | void,
): Promise<void> {
  const violations: Violation[] = [];
  for (const item of items) {
    try {
      await check(item);
    } catch (error) {
      if (!(error instanceof ViolationError)) throw error;
      violations.push(...error.violations);
    }
  }
  if (violations.length > 0) throw new ViolationError(violations);
}

export function describeAnswer(answer: HttpResponse): string {
  const text = shorten(hideSecrets(Buffer.from(answer.body).toString("utf8")));
  return text === "" ? `status ${answer.status}` : `status ${answer.status} with ${text}`;
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
