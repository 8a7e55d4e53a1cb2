/** A recovery key as people handle it: 14 groups of 4 characters. */

export function toGroups(recoveryKey: string): readonly string[] {
  return recoveryKey.match(/[0-9A-Z]{4}/g) ?? [];
}

/** Two different ones, in their order, counted from 1. */
export function chooseGroups(count: number, random: () => number): readonly [number, number] {
  const first = Math.floor(random() * count);
  const second = (first + 1 + Math.floor(random() * (count - 1))) % count;
  return [Math.min(first, second) + 1, Math.max(first, second) + 1];
}

/** As a recovery key is read: letters that look like digits count as them. */
export function isSameGroup(typed: string, group: string): boolean {
  const read = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0");
  return read.replaceAll(/[IL]/g, "1") === group;
}
