/** Below it, lengths would tell a date from a word. */
const MIN_PADDED_BYTES = 64;

/**
 * The length to which a plain text is padded: that of Padmé, which adds at most an eighth and leaves of
 * 2^n lengths only some n to the observer; at least 64.
 */
export function paddedLength(length: number): number {
  if (length <= MIN_PADDED_BYTES) return MIN_PADDED_BYTES;
  const exponent = 31 - Math.clz32(length);
  const step = 2 ** (exponent - (32 - Math.clz32(exponent)));
  return Math.ceil(length / step) * step;
}
