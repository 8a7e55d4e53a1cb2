/**
 * The provenance of built files: an in-toto statement (v1) with SLSA's predicate (v1), in a DSSE envelope
 * that the release key signs. So one pinned key proves the manifest and where its files come from.
 */
import { createPublicKey, sign, verify } from "node:crypto";
import type { SigningKey } from "../../src/release/publishing/key-files.ts";

export interface BuiltFile {
  readonly name: string;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface BuildFacts {
  readonly files: readonly BuiltFile[];
  readonly version: string;
  readonly gitCommit: string;
  readonly lockFileSha256: string;
  /** The address of what built: a workflow, or a person's machine. */
  readonly builderId: string;
  readonly startedOn: Date;
  readonly finishedOn: Date;
}

const PAYLOAD_TYPE = "application/vnd.in-toto+json";

export interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export function describeBuild(facts: BuildFacts): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: facts.files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:trellis:build:release:v1",
        externalParameters: { version: facts.version },
        internalParameters: { node: process.versions.node, platform: process.platform },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: facts.gitCommit } },
          { name: "package-lock.json", digest: { sha256: facts.lockFileSha256 } },
        ],
      },
      runDetails: {
        builder: { id: facts.builderId },
        metadata: {
          startedOn: facts.startedOn.toISOString(),
          finishedOn: facts.finishedOn.toISOString(),
        },
      },
    },
  };
}

export function signStatement(statement: object, { keyId, privateKey }: SigningKey): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthEncoding(payload), privateKey).toString("base64");
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString("base64"),
    signatures: [{ keyid: keyId, sig }],
  };
}

/** Returns the statement, or null when none of the pinned keys signed exactly these bytes. */
export function openStatement(
  { payloadType, payload, signatures }: Envelope,
  keys: Readonly<Record<string, string>>,
): unknown {
  const bytes = Buffer.from(payload, "base64");
  const isSigned = signatures.some(({ keyid, sig }) => {
    const x = keys[keyid];
    if (x === undefined) return false;
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, preAuthEncoding(bytes), key, Buffer.from(sig, "base64"));
  });
  return isSigned && payloadType === PAYLOAD_TYPE ? JSON.parse(bytes.toString("utf8")) : null;
}

/** DSSE v1: the type is signed too, so that nothing else the key signs can pass for a statement. */
function preAuthEncoding(payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
