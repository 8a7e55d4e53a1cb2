/**
 * The order of versions, written apart from the server's own: a judge that shares the code of the
 * judged would share its faults.
 */
export function compareVersions(a: string, b: string): number {
  const right = b.split(".").map(BigInt);
  for (const [index, left] of a.split(".").map(BigInt).entries()) {
    const other = right[index] ?? 0n;
    if (left !== other) return left < other ? -1 : 1;
  }
  return 0;
}
