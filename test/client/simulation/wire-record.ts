/** What went over the wire, as far as the oracle needs it. */
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { envelopeOf, withEnvelope } from "../sealed/change-operation.ts";

export interface WireRecord {
  noteRequest(url: string, init: RequestInit): void;
  /** A record of the list of keys. */
  noteKey(status: number, init: RequestInit): void;
  /** Ids of the keys whose record the server took, the oldest first. */
  readonly keyIds: ReadonlySet<string>;
  /** What the server received, when the status says that it took it. */
  notePush(status: number, init: RequestInit): void;
  /** The ids of the operations of each push that the server took, in order. */
  readonly pushes: readonly (readonly string[])[];
  noteResponse(label: string, status: number, text: string): void;
  /** Every operation that a client sent, received or not, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** What must never happen, whatever the network does. */
  readonly errors: readonly string[];
}

/** 24 bytes as base64url. */
const NONCE_LENGTH = 32;
const TOKEN = /trs_[ar]t_[\w-]{20}/;

export function hasToken(text: string): boolean {
  return TOKEN.test(text);
}

export function createWireRecord(): WireRecord {
  const operations = new Map<string, Operation>();
  const errors: string[] = [];
  const pushes: string[][] = [];
  const readPush = ({ body }: RequestInit) =>
    (JSON.parse(String(body)) as { operations: Operation[] }).operations;

  const textByNonce = new Map<string, string>();
  const entityByName = new Map<string, string>();
  const keyIds = new Set<string>();

  /**
   * A nonce must never seal two texts, and a name must not tell that two entities have one field. Nothing is
   * sealed under a key before a server had its record.
   */
  function noteSealed({ operationId, document, ...operation }: Operation): void {
    const { entityId } = document;
    if (!entityId.startsWith("sealed/")) return;
    const envelope = envelopeOf({ document });
    const [version = "", keyId = "", sealed = ""] = envelope.split(".");
    if (version !== "2") errors.push(`${operationId} is sent unsealed`);
    if (!keyIds.has(keyId)) errors.push(`${operationId} is sealed under a key that is not stored`);
    const nonce = sealed.slice(0, NONCE_LENGTH);
    const other = textByNonce.get(nonce) ?? envelope;
    if (other !== envelope) errors.push(`${operationId} has a nonce that was used before`);
    textByNonce.set(nonce, envelope);
    for (const name of [...operation.changedFields, ...operation.changedMetadataFields]) {
      const entity = entityByName.get(name) ?? entityId;
      if (entity !== entityId) errors.push(`${entity} and ${entityId} have the field name ${name}`);
      entityByName.set(name, entityId);
    }
  }

  /** What is sealed again under another key is the same operation. */
  function isAgain(known: Operation, operation: Operation): boolean {
    const [one, other] = [known, operation].map((each) => envelopeOf(each).split(".")[1]);
    const bare = (each: Operation) => JSON.stringify(withEnvelope(each, () => ""));
    return one !== other && bare(known) === bare(operation);
  }

  function noteOperation(operation: Operation): void {
    noteSealed(operation);
    const known = operations.get(operation.operationId);
    const isOther = known !== undefined && JSON.stringify(known) !== JSON.stringify(operation);
    if (isOther && !isAgain(known, operation)) {
      errors.push(`${operation.operationId} was sent with two contents`);
    }
    operations.set(operation.operationId, operation);
  }

  return {
    operations,
    errors,
    pushes,
    keyIds,
    noteKey(status, { body }) {
      if (status < 300) keyIds.add((JSON.parse(String(body)) as { keyId: string }).keyId);
    },
    notePush(status, init) {
      if (status === 200) pushes.push(readPush(init).map(({ operationId }) => operationId));
    },
    noteRequest(url, init) {
      if (hasToken(url)) errors.push("A token is in a URL");
      if (!url.endsWith("/v1/push")) return;
      readPush(init).forEach(noteOperation);
    },
    noteResponse(label, status, text) {
      const isQuota = /used up|quota_exceeded/.test(text);
      if (status >= 500 && !isQuota) errors.push(`${label} got ${status}: ${text}`);
      if (text.includes("invalid_request")) errors.push(`${label} got ${status}: ${text}`);
    },
  };
}
