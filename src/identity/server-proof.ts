/**
 * Proves to the owner of an instance key that the server at an address has it too. The key of the proof is
 * derived for nothing else, and the address is part of it, so that a proof is of no use anywhere else.
 */
import { PROOF_HEADER } from "../contract/server-proof.ts";
import { createKeyedHash, type InstanceKey } from "./instance-key.ts";
import { isSecret } from "./one-time-secrets.ts";

export type CreateServerProof = (challenge: string | null) => Readonly<Record<string, string>>;

/** The headers of the response; none for what is no challenge. */
export function createServerProof(
  instanceKey: InstanceKey,
  realm: string,
  baseUrl: string,
): CreateServerProof {
  const hash = createKeyedHash(instanceKey, `${realm}/server-proof`);
  const { href } = new URL(baseUrl);
  return (challenge) =>
    challenge !== null && isSecret(challenge) ? { [PROOF_HEADER]: hash(href, challenge) } : {};
}
