/** How the service parses targets and queries, as regular expressions of PCRE. */
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { splitAppVersion } from "../../rules/release/app-version.ts";
import { servedRoutes } from "../routes.ts";

/** A literal path comes before a pattern that would also match it. */
export function routesToMatch(feeds: FeedSettings) {
  return Object.values(servedRoutes(feeds)).sort(
    (a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")),
  );
}

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

export function oneOf(texts: readonly string[]): string {
  return `(?:${texts.map(escapePattern).join("|")})`;
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
  if (10 ** zeros !== maximum) throw new Error(`${maximum} is not a power of ten`);
  return `(?:[1-9][0-9]{0,${zeros - 1}}|${maximum})`;
}

/** A version that is older than `version`, as SemVer orders them: pre-releases and metadata included. */
export function olderThan(version: string): string {
  const { core, preRelease } = splitAppVersion(version);
  const [major = "0", minor = "0", patch = "0"] = core.split(".");
  const any = "(?:0|[1-9][0-9]*)";
  const older = [
    ...below(major).map((number) => `${number}\\.${any}\\.${any}`),
    ...below(minor).map((number) => `${major}\\.${number}\\.${any}`),
    ...below(patch).map((number) => `${major}\\.${minor}\\.${number}`),
  ];
  const end = "(?:[-+][0-9A-Za-z.+-]+)?";
  const sameCore = `${escapePattern(core)}-${olderPreRelease(preRelease)}`;
  return older.length === 0 ? sameCore : `(?:(?:${older.join("|")})${end}|${sameCore})`;
}

/** SemVer 11.4: the first identifier that differs decides, and a beginning of the list is older. */
function olderPreRelease(preRelease: readonly string[]): string {
  if (preRelease.length === 0) return "[0-9A-Za-z.+-]+";
  const patterns = preRelease.map((identifier, index) => {
    const before = preRelease.slice(0, index).map((part) => `${escapePattern(part)}\\.`);
    const lower = /^[0-9]+$/.test(identifier) ? below(identifier) : textsBelow(identifier);
    return `${before.join("")}(?:${lower.join("|") || NEVER})(?:\\.[0-9A-Za-z.-]+)?`;
  });
  const beginnings = preRelease.slice(1).map((_part, index) =>
    preRelease
      .slice(0, index + 1)
      .map(escapePattern)
      .join("\\."),
  );
  return `(?:${[...patterns, ...beginnings].join("|")})(?:\\+[0-9A-Za-z.-]+)?`;
}

const NEVER = "(?!)";
const IDENTIFIER_CHARACTERS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Identifiers before a text: every number, its beginnings, and texts that are lower in ASCII. */
function textsBelow(text: string): string[] {
  const patterns = ["[0-9]+"];
  for (const [index, character] of [...text].entries()) {
    const beginning = text.slice(0, index);
    if (index > 0) patterns.push(beginning);
    const lower = IDENTIFIER_CHARACTERS.slice(0, IDENTIFIER_CHARACTERS.indexOf(character));
    if (lower !== "") patterns.push(`${beginning}[${lower}][0-9A-Za-z-]*`);
  }
  return patterns;
}

/** Decimals without leading zeros that are less than `limit`. */
function below(limit: string): string[] {
  const patterns = limit.length > 1 ? [`(?:0|[1-9][0-9]{0,${limit.length - 2}})`] : [];
  for (const [index, digit] of [...limit].entries()) {
    const lowest = index === 0 && limit.length > 1 ? 1 : 0;
    if (Number(digit) <= lowest) continue;
    const rest = limit.length - index - 1;
    patterns.push(
      `${limit.slice(0, index)}[${lowest}-${Number(digit) - 1}]${rest > 0 ? `[0-9]{${rest}}` : ""}`,
    );
  }
  return patterns;
}
