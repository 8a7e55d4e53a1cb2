/** What went over the wire, as far as the oracle needs it. */
import type { Operation } from "../../../src/client/index.ts";

export interface WireRecord {
  noteRequest(url: string, init: RequestInit): void;
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

  const placeByNonce = new Map<string, string>();
  const entityByName = new Map<string, string>();

  /** A nonce must never seal two values, and a name must not tell that two entities have one field. */
  function noteSealed({ operationId, document, ...operation }: Operation): void {
    const { entityId, payload = {} } = document;
    if (!entityId.startsWith("sealed/")) return;
    for (const name of [...operation.changedFields, ...operation.changedMetadataFields]) {
      const value = String(payload[name] ?? (document as Readonly<Record<string, unknown>>)[name]);
      const nonce = value.split(".")[2]?.slice(0, NONCE_LENGTH) ?? "";
      const place = `${operationId} ${name}`;
      const [other = place, entity = entityId] = [placeByNonce.get(nonce), entityByName.get(name)];
      if (other !== place) errors.push(`${other} and ${place} have one nonce`);
      if (entity !== entityId) errors.push(`${entity} and ${entityId} have the field name ${name}`);
      placeByNonce.set(nonce, place);
      entityByName.set(name, entityId);
    }
  }

  function noteOperation(operation: Operation): void {
    noteSealed(operation);
    const known = operations.get(operation.operationId);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(operation)) {
      errors.push(`${operation.operationId} was sent with two contents`);
    }
    operations.set(operation.operationId, operation);
  }

  return {
    operations,
    errors,
    pushes,
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
