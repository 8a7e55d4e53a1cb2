/** What a backup says of itself, for programs: whether it has the instance key, not the key. */
export function backupToJson<T extends { readonly instanceKey: object | null }>(
  manifest: T,
): Omit<T, "instanceKey"> & { readonly hasInstanceKey: boolean } {
  const { instanceKey, ...rest } = manifest;
  return { ...rest, hasInstanceKey: instanceKey !== null };
}
