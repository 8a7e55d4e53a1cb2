/**
 * Each regular expression of the sources takes time in proportion to its text: it gets 64 KB of the letters that it
 * repeats, derived from its own pattern, after what leads there and before an end that fails.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { samplePattern } from "./sample-pattern.ts";

const ROOT = join(import.meta.dirname, "../..");
const LENGTH = 65_536;
/** An expression that goes back takes seconds for so much, and one that does not a millisecond. */
const MAX_MS = 400;
const ENDS = ["\u0001", "\n\u0001"];

/** Expressions whose text is never as long, with the place that bounds it. */
const PAGE = { length: 4096, where: "a page of the server under test, for which its tester waits" };
const SHORTER: Readonly<Record<string, { readonly length: number; readonly where: string }>> = {
  [String(/^ *([0-7]*)[ \0]*$/)]: { length: 12, where: "the fields of a tar header" },
  [String(/^(.*\/\d+\.).*$/)]: { length: 4096, where: "the paths of an export" },
  [String(/<(?:script|style)\b[^>]*>/gi)]: PAGE,
  [String(/<html\b[^>]*\blang="([^"]*)"/i)]: PAGE,
  [String(/<item>(.*?)<\/item>/gs)]: PAGE,
  [String(/<enclosure\s([^>]*)>/)]: PAGE,
  [String(/<form\b[^>]*\bid="decision".*?<\/form>/s)]: PAGE,
  [String(/#.*code=/)]: PAGE,
};

const LITERAL =
  /(?:[=(,:[!&|?{};]|=>|return)\s*(\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*)(?![\w"'`])/g;
const STRING = /(?:pattern: |_PATTERN =\s+)("(?:[^"\\\n]|\\.)*")/g;

/** Literals, and the patterns of schemas, by what they look like. */
function findExpressions(): Map<string, { readonly expression: RegExp; readonly file: string }> {
  const found = new Map<string, { readonly expression: RegExp; readonly file: string }>();
  const files = globSync("{src,conformance}/**/*.ts", { cwd: ROOT }).filter(
    (file) => !/\.test\.ts$|generated/.test(file),
  );
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), "utf8");
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
    const expressions = [
      ...[...code.matchAll(LITERAL)].flatMap(([, literal = ""]) => {
        const end = literal.lastIndexOf("/");
        return compile(literal.slice(1, end), literal.slice(end + 1));
      }),
      ...[...code.matchAll(STRING)].map(
        ([, literal = ""]) => new RegExp(JSON.parse(literal) as string, "u"),
      ),
    ];
    for (const expression of expressions) found.set(String(expression), { expression, file });
  }
  return found;
}

/** Nothing for a part of a text that only looks like an expression. */
function compile(source: string, flags: string): RegExp[] {
  try {
    return [new RegExp(source, flags)];
  } catch {
    return [];
  }
}

const scope: { expression?: RegExp; text?: string } = {};
const context = createContext(scope);

/** The processor time, or Infinity: a context can end an expression that does not. */
function measure(expression: RegExp, text: string, timeout = 3 * MAX_MS): number {
  Object.assign(scope, { expression, text });
  const script = expression.global ? "text.replace(expression, '')" : "expression.exec(text)";
  const before = process.cpuUsage();
  const spent = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    runInContext(script, context, { timeout });
  } catch {
    // The context goes by the clock, and on a busy machine it ends what has hardly begun.
    return spent() > MAX_MS ? Infinity : measure(expression, text, 4 * timeout);
  }
  return spent();
}

const expressions = findExpressions();

test("the expressions of the sources are found", () => {
  assert.ok(expressions.size > 200, String(expressions.size));
});

test("a quadratic expression and an exponential one are noticed", () => {
  for (const expression of [/ +$/, /^(?:a+)+$/, /^x\s*;?\s*y/, /<!--.*-->/g]) {
    assert.notEqual(findSlow(expression, LENGTH), null, String(expression));
  }
});

test("every expression is linear in the worst letters of its pattern", () => {
  const slow = [...expressions].flatMap(([name, { expression, file }]) => {
    const found = findSlow(expression, SHORTER[name]?.length ?? LENGTH);
    return found === null ? [] : [`${file}: ${name} for ${JSON.stringify(found)}`];
  });
  assert.deepEqual(slow, []);
});

test("no bound is listed for an expression that is gone", () => {
  assert.deepEqual(
    Object.keys(SHORTER).filter((name) => !expressions.has(name)),
    [],
  );
});

function findSlow(expression: RegExp, length: number): readonly [string, string, string] | null {
  for (const { start, unit } of samplePattern(expression.source)) {
    for (const end of ENDS) {
      const text = `${start}${unit.repeat(Math.ceil(length / unit.length))}${end}`;
      const isSlow = (): boolean => measure(expression, text) > MAX_MS;
      if (isSlow() && isSlow()) return [start, unit, end];
    }
  }
  return null;
}
