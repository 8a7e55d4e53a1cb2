/** Parses the values of options; a wrong value is a usage error. */
import { ARTIFACT_HOST_PATTERN, OS_VERSION_PATTERN } from "../../../contract/release/catalog.ts";
import { EVERYBODY_PERCENT } from "../../../contract/release/values.ts";
import { parseDateTime } from "../../../contract/date-time.ts";
import { isAppVersion } from "../../../rules/release/app-version.ts";
import { isVersion } from "../../../rules/release/version.ts";
import { UsageError } from "../../command.ts";

export function parseChoice<T extends string>(
  name: string,
  text: string,
  choices: readonly T[],
): T {
  const choice = choices.find((item) => item === text);
  if (choice === undefined) {
    throw new UsageError(`${name} must be one of ${choices.join(", ")}, not "${text}"`);
  }
  return choice;
}

export function parseCount(name: string, text: string): number {
  const count = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) {
    throw new UsageError(
      `${name} must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}, not "${text}"`,
    );
  }
  return count;
}

export function parsePercent(name: string, text: string): number {
  return parseWithin(name, text, 0, EVERYBODY_PERCENT);
}

/** Parses the bucket of an installation in a staged rollout. */
export function parseBucket(name: string, text: string): number {
  return parseWithin(name, text, 1, EVERYBODY_PERCENT);
}

function parseWithin(name: string, text: string, min: number, max: number): number {
  const number = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

export function parseVersionOption(name: string, text: string): string {
  if (!isVersion(text)) {
    throw new UsageError(`${name} must be a version of three numbers such as 2.1.0, not "${text}"`);
  }
  return text;
}

export function parseAppVersion(name: string, text: string): string {
  if (isAppVersion(text)) return text;
  throw new UsageError(`${name} must be a version by SemVer 2 such as 1.3.0-beta.3, not "${text}"`);
}

/** Returns the text itself, because people read its UTC offset. */
export function parseTimeOption(name: string, text: string): string {
  if (parseDateTime(text) === null) {
    throw new UsageError(`${name} must be a time such as 2026-01-31T12:00:00Z, not "${text}"`);
  }
  return text;
}

const OS_VERSION = new RegExp(OS_VERSION_PATTERN);

export function parseOsVersion(name: string, text: string): string {
  if (OS_VERSION.test(text)) return text;
  throw new UsageError(
    `${name} must be a version of one to four numbers such as 12.0 or 10.0.17763, not "${text}"`,
  );
}

export function parseHttpsUrl(name: string, text: string): string {
  if (!text.startsWith("https://") || !URL.canParse(text)) {
    throw new UsageError(`${name} must be an address that starts with https://, not "${text}"`);
  }
  return encodePath(text);
}

const NOT_ALLOWED = /[^\u0021-\u007E]+|["<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/gu;

/** RFC 3986 2.1: encodes what a path may not have as it is, such as the spaces of a file's name. */
function encodePath(url: string): string {
  const [origin = ""] = /^https:\/\/[^/?#]*/.exec(url) ?? [];
  const path = url.slice(origin.length);
  return origin + path.replaceAll(NOT_ALLOWED, (part) => encodeURIComponent(part.toWellFormed()));
}

const ARTIFACT_HOST = new RegExp(ARTIFACT_HOST_PATTERN);

export function parseHost(text: string): string {
  if (ARTIFACT_HOST.test(text)) return text;
  throw new UsageError(
    `--host must be a host such as downloads.example.com, without https:// and path, not "${text}"`,
  );
}

export function parseIfGiven<T>(
  name: string,
  text: string | undefined,
  parse: (name: string, text: string) => T,
): T | undefined {
  return text === undefined ? undefined : parse(name, text);
}
