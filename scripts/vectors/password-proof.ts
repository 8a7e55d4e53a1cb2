/** Sign-ins, and the proofs of their passwords. */
import { LOGIN_PURPOSE as EVENTS_PURPOSE } from "../../src/contract/events/values.ts";
import { LOGIN_PURPOSE } from "../../src/contract/sync/values.ts";
import { decodeBase64Url, encodeBase64Url } from "../../src/rules/base64url.ts";
import { createAuthMessage } from "../../src/rules/identity/auth-message.ts";
import {
  MAX_ACCEPTED_ITERATIONS,
  MIN_ACCEPTED_ITERATIONS,
  provePassword,
  type PasswordLogin,
  type ProofResult,
} from "../../src/rules/identity/prove-password.ts";
import {
  createProof,
  createServerSignature,
  deriveSaltedPassword,
  deriveServerKey,
} from "../../src/rules/identity/scram.ts";
import type { VectorSource } from "./vector-file.ts";

interface ProofInput extends PasswordLogin {
  readonly clientNonce: string;
}

export function createPasswordProofVectors(): VectorSource<ProofInput> {
  return {
    name: "password-proof",
    description:
      "The proof of a password, SCRAM-SHA-256: docs/protocol/sync.md, Signing in. `input.attempt` has the further members of the AuthMessage, `input.challenge` is the response of the server, and `input.clientNonce` is what a client draws at random. `expected` has the AuthMessage, the proof to send and the signature that the server must send back; or it says why the client refuses the challenge.",
    inputs: PROOF_INPUTS,
    expect: prove,
    codes: Object.keys({
      proved: true,
      "iterations-refused": true,
      "salt-refused": true,
    } satisfies Record<ProofResult["kind"], true>),
  };
}

async function prove(input: ProofInput): Promise<object> {
  const { password, challenge, clientNonce } = input;
  // Only whether the challenge is accepted: the nonce of this result is another one each time.
  const { kind } = await provePassword(input, async () => new Uint8Array(32));
  if (kind !== "proved") return { kind };
  const salt = decodeBase64Url(challenge.salt) ?? new Uint8Array();
  const salted = await deriveSaltedPassword(password, salt, challenge.iterations);
  const authMessage = createAuthMessage({ ...input, challenge, clientNonce });
  const signature = await createServerSignature(await deriveServerKey(salted), authMessage);
  return {
    kind,
    authMessage,
    proof: encodeBase64Url(await createProof(salted, authMessage)),
    serverSignature: encodeBase64Url(signature),
  };
}

const SYNC: ProofInput = {
  purpose: LOGIN_PURPOSE,
  username: "ada",
  password: "correct horse battery",
  attempt: {
    attemptId: "attempt-1",
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    deviceId: "phone",
    redirectUri: "http://localhost:43823/callback",
    state: "af0ifjsldkj-af0ifjsldkj",
  },
  challenge: {
    challengeId: "b3BlbiBzZXNhbWU",
    salt: "W22ZaJ0SNY7soEsUEjb6gQ",
    iterations: MIN_ACCEPTED_ITERATIONS,
    serverNonce: "JXZyOUl4OHFIUFk2cTBqcw",
  },
  clientNonce: "ck9wck5HZndFYmVSV2diTkVrcU8",
};

function challenged(changes: Partial<ProofInput["challenge"]>): ProofInput {
  return { ...SYNC, challenge: { ...SYNC.challenge, ...changes } };
}

const { state, ...attempt } = SYNC.attempt;

const PROOF_INPUTS: Record<string, ProofInput> = {
  "a sign-in to sync": SYNC,
  "a sign-in to events": {
    ...SYNC,
    purpose: EVENTS_PURPOSE,
    attempt: { interaction: "aW50ZXJhY3Rpb24" },
  },
  "more iterations": challenged({ iterations: 120_000 }),
  "a longer salt": challenged({ salt: encodeBase64Url(new Uint8Array(24).fill(7)) }),
  "spaces around the password stay": { ...SYNC, password: " correct horse battery " },
  "a composed password": { ...SYNC, password: "Gr\u00fc\u00dfe aus K\u00f6ln" },
  "the same password, decomposed": { ...SYNC, password: "Gru\u0308\u00dfe aus Ko\u0308ln" },
  "a composed name": { ...SYNC, username: "j\u00fcrgen" },
  "the same name, decomposed": { ...SYNC, username: "ju\u0308rgen" },
  "a password and a name beyond the first plane": {
    ...SYNC,
    username: "\u{1f469}\u200d\u{1f680}",
    password: "\u{1f40e}\u{1f50b} correct horse",
  },
  "a state with characters that JSON escapes": {
    ...SYNC,
    attempt: { ...attempt, state: `"quoted"\\${state}/<&>` },
  },
  "too few iterations": challenged({ iterations: MIN_ACCEPTED_ITERATIONS - 1 }),
  "too many iterations": challenged({ iterations: MAX_ACCEPTED_ITERATIONS + 1 }),
  "iterations that are no integer": challenged({ iterations: MIN_ACCEPTED_ITERATIONS + 0.5 }),
  "a salt that is too short": challenged({ salt: encodeBase64Url(new Uint8Array(15).fill(7)) }),
  "a salt with padding": challenged({ salt: `${SYNC.challenge.salt}==` }),
};
