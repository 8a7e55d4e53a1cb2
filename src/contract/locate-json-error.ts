/** Lines and columns count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Finds where a text stops being JSON; the message of `JSON.parse` may quote the text, secrets included. */
export function locateJsonError(text: string): TextPosition {
  const before = text.slice(0, findError(text));
  return {
    line: before.split("\n").length,
    column: before.length - before.lastIndexOf("\n"),
  };
}

const SCALAR =
  /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const SPACE = /[ \t\n\r]*/y;

/** RFC 8259 2 */
type Next = "value" | "first-item" | "key" | "first-key" | "colon" | "after-value";

function findError(text: string): number {
  const closers: ("}" | "]")[] = [];
  let next: Next = "value";
  let at = 0;
  for (;;) {
    at += lengthOf(SPACE, text, at);
    const character = text[at];
    const scalar = lengthOf(SCALAR, text, at);
    if (next === "colon") {
      if (character !== ":") return at;
      next = "value";
      at++;
    } else if (next === "after-value") {
      const closer = closers.at(-1);
      if (closer === undefined) return at;
      if (character === closer) closers.pop();
      else if (character === ",") next = closer === "}" ? "key" : "value";
      else return at;
      at++;
    } else if (
      (next === "first-key" && character === "}") ||
      (next === "first-item" && character === "]")
    ) {
      closers.pop();
      next = "after-value";
      at++;
    } else if (next === "key" || next === "first-key") {
      if (character !== '"' || scalar === 0) return at;
      next = "colon";
      at += scalar;
    } else if (character === "{" || character === "[") {
      closers.push(character === "{" ? "}" : "]");
      next = character === "{" ? "first-key" : "first-item";
      at++;
    } else {
      if (scalar === 0) return at;
      next = "after-value";
      at += scalar;
    }
  }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
