/** The versions of apps, any SemVer 2, beside those of the contract, which are three numbers. */
import { APP_VERSION_PATTERN } from "../../contract/release/feed-values.ts";
import { compareDecimals, compareVersions } from "./version.ts";

const APP_VERSION = new RegExp(APP_VERSION_PATTERN);

export function isAppVersion(text: string): boolean {
  return APP_VERSION.test(text);
}

export interface NamedRelease {
  readonly version: string;
  readonly appVersion?: string;
}

/** What the app calls this release, and its updater compares. */
export function appVersionOf({ version, appVersion = version }: NamedRelease): string {
  return appVersion;
}

/** Both names, for the maker: the contract's is the one that commands take. */
export function formatVersions({ version, appVersion }: NamedRelease): string {
  return appVersion === undefined ? version : `${version} (${appVersion})`;
}

export function versionsOf({ version, appVersion }: NamedRelease): NamedRelease {
  return { version, ...(appVersion !== undefined && { appVersion }) };
}

/** SemVer 11: negative when `a` is older. Build metadata does not count. */
export function compareAppVersions(a: string, b: string): number {
  const [left, right] = [splitAppVersion(a), splitAppVersion(b)];
  const order = compareVersions(left.core, right.core);
  if (order !== 0) return order;
  // SemVer 11.3: a pre-release is older than its release.
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return right.preRelease.length - left.preRelease.length;
  }
  const at = left.preRelease.findIndex((part, index) => part !== right.preRelease[index]);
  // SemVer 11.4.4: what goes on is newer than what it begins with.
  if (at < 0 || right.preRelease[at] === undefined) {
    return left.preRelease.length - right.preRelease.length;
  }
  return compareIdentifiers(left.preRelease[at] ?? "", right.preRelease[at]);
}

/** The three numbers and the identifiers of the pre-release, without build metadata. */
export function splitAppVersion(version: string): { core: string; preRelease: string[] } {
  const [precedence = ""] = version.split("+");
  const hyphen = precedence.indexOf("-");
  return hyphen < 0
    ? { core: precedence, preRelease: [] }
    : { core: precedence.slice(0, hyphen), preRelease: precedence.slice(hyphen + 1).split(".") };
}

/** SemVer 11.4.1 to 11.4.3: numbers as numbers and before texts, which are in ASCII order. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^[0-9]+$/.test(a), /^[0-9]+$/.test(b)];
  if (isNumber && isOtherNumber) return compareDecimals(a, b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
