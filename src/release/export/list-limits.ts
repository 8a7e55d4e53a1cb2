/** Which page sizes of the release list become files. */
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from "../../contract/release/values.ts";

/** A client that names no limit gets 20; these are the others that people type. */
const COMMON_LIMITS = [10, DEFAULT_PAGE_LIMIT, 50, MAX_PAGE_LIMIT];

/**
 * All sizes of a list of N releases need about 5.2 N files and repeat every release a hundred times,
 * so that a long history would mostly consist of lists nobody asks for.
 */
const MAX_PAGE_FILES = 2000;

/** Every limit while that stays within bounds, else the common ones; `totals` are releases per channel. */
export function chooseLimits(totals: readonly number[]): readonly number[] {
  const every = Array.from({ length: MAX_PAGE_LIMIT }, (_, index) => index + 1);
  const files = every.flatMap((limit) => totals.map((total) => pageCount(total, limit)));
  return files.reduce((sum, count) => sum + count, 0) <= MAX_PAGE_FILES ? every : COMMON_LIMITS;
}

/** One more than there are: a client that reads to the end asks for the empty page after it. */
export function pageCount(total: number, limit: number): number {
  return Math.ceil(total / limit) + 1;
}
