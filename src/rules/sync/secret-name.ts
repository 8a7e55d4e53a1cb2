/**
 * Whether a name looks as if it held a secret. Any name that contains one of the words does, in any
 * case: `accessToken`, `REFRESH_TOKEN`, `apikeys`. Whole words would let `accesstoken` through, and a
 * leaked credential is worse than a field that must be called something other than `secretary`.
 */
const SECRET = /token|secret|password|api[\s._-]*key|credential/i;

export function looksSecret(name: string): boolean {
  return SECRET.test(name);
}
