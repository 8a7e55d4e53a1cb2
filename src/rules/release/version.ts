import { SEMVER_PATTERN } from "../../contract/release/values.ts";

const SEMVER = new RegExp(SEMVER_PATTERN);

export function isVersion(text: string): boolean {
  return SEMVER.test(text);
}

/** Negative when `a` is older. Components are unbounded, so they are compared as decimal texts. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(".");
  const right = b.split(".");
  for (let index = 0; index < 3; index++) {
    const order = compareDecimals(left[index] ?? "0", right[index] ?? "0");
    if (order !== 0) return order;
  }
  return 0;
}

/** Decimal texts without leading zeros. */
export function compareDecimals(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
