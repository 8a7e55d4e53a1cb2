/** Verifiers, and the challenges that prove them. */
import { readCodeVerifier } from "../../src/rules/identity/pkce.ts";
import type { VectorSource } from "./vector-file.ts";

interface PkceInput {
  readonly codeVerifier: string;
}

export function createPkceVectors(): VectorSource<PkceInput> {
  return {
    name: "pkce",
    description:
      "The code challenge of a code verifier, method S256 of RFC 7636: docs/protocol/sync.md, Signing in, and docs/protocol/events.md, Authorization. `expected.codeChallenge` is null for a verifier outside of the grammar, which no challenge fits.",
    inputs: {
      "RFC 7636, appendix B": input("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
      "the shortest": input("a".repeat(43)),
      "the longest, of every kind of character": input("aZ09-._~".repeat(16)),
      "too short": input("a".repeat(42)),
      "too long": input("a".repeat(129)),
      "a character outside of the grammar": input(`${"a".repeat(43)}+`),
      "a line end": input(`${"a".repeat(43)}\n`),
    },
    expect: async ({ codeVerifier }) => ({ codeChallenge: await readCodeVerifier(codeVerifier) }),
    codes: [],
  };
}

function input(codeVerifier: string): PkceInput {
  return { codeVerifier };
}
