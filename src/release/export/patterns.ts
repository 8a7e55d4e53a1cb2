/**
 * How the service parses targets and queries, as regular expressions for web servers, in the syntax
 * that PCRE and RE2 share.
 */
import { API_ROUTES } from "../handlers.ts";

/** A literal path comes before a pattern that would also match it. */
export const ROUTES_TO_MATCH = Object.values(API_ROUTES).sort(
  (a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")),
);

/** A text in which any character may also be percent-encoded. */
export function spelledAnyWay(text: string): string {
  return [...text]
    .map((character) => {
      const [high = "", low = ""] = character.charCodeAt(0).toString(16);
      return `(?:${escapePattern(character)}|%${high}${anyCase(low)})`;
    })
    .join("");
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function anyCase(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}

/** Patterns for one parameter in a raw query. */
export interface QueryPatterns {
  readonly present: string;
  readonly repeated: string;
  /** The parameter with a value that matches. */
  valued(pattern: string): string;
}

export function queryPatterns(parameter: string): QueryPatterns {
  const name = spelledAnyWay(parameter);
  const present = `(?:^|&)${name}(?:[=&]|$)`;
  return {
    present,
    repeated: `(?:^|&)${name}(?:=[^&]*)?&(?:.*&)?${name}(?:[=&]|$)`,
    valued: (pattern) => `(?:^|&)${name}=${pattern}(?:&|$)`,
  };
}

const HEX = "[0-9A-Fa-f]";
const FOLLOW = `%[89ABab]${HEX}`;

/** One character of well-formed UTF-8, percent-encoded (RFC 3629 4). */
export const ESCAPED_CHARACTER = [
  `%[0-7]${HEX}`,
  `%(?:[Cc][2-9A-Fa-f]|[Dd]${HEX})${FOLLOW}`,
  `%[Ee]0%[ABab]${HEX}${FOLLOW}`,
  `%[Ee][1-9A-CEFa-cef](?:${FOLLOW}){2}`,
  `%[Ee][Dd]%[89]${HEX}${FOLLOW}`,
  `%[Ff]0%[9ABab]${HEX}(?:${FOLLOW}){2}`,
  `%[Ff][1-3](?:${FOLLOW}){3}`,
  `%[Ff]4%8${HEX}(?:${FOLLOW}){2}`,
].join("|");

/** An empty segment, a dot segment or a slash at the end: such a path is not found. */
export const NAMELESS_SEGMENT = "/(?:\\.|%2[Ee]){0,2}(?:/|$)";

export const ESCAPED_SLASH = "%2[Ff]";

/** 1 to a power of ten, without leading zeros. */
export function canonicalIntegerUpTo(maximum: number): string {
  const zeros = String(maximum).length - 1;
  if (10 ** zeros !== maximum) throw new Error(`${maximum} is no power of ten`);
  return `(?:[1-9][0-9]{0,${zeros - 1}}|${maximum})`;
}
