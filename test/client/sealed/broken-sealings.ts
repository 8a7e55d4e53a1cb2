/** Encryption with one defect each. A hostile server, or what a simulation sees on the wire, must show every one. */
import { createSealer } from "../../../src/client/encryption/sealer.ts";
import type { Operation } from "../../../src/client/index.ts";
import type { SyncEncryption } from "../../../src/client/sync/client-keys.ts";
import type { Sealer } from "../../../src/client/sync/encryption.ts";
import { parseOperation, type ParsedOperation } from "../../../src/rules/sync/operation-text.ts";
import { operationIdOf } from "../../../src/rules/sync/operation.ts";
import { changeEncryption } from "./change-encryption.ts";

export type BreakEncryption = (encryption: SyncEncryption) => SyncEncryption;

const NO_REVISION = { deviceId: "any", sequence: 1 };
const ONE_NONCE = new Uint8Array(24).fill(7);

function withSealer(change: (sealer: Sealer) => Partial<Sealer>): BreakEncryption {
  return (encryption) =>
    changeEncryption(encryption, {
      createSealer(keys) {
        const sealer = encryption.createSealer(keys);
        return { ...sealer, ...change(sealer) };
      },
    });
}

function withRevision(text: string, revision: Operation["revision"]): string {
  const operation = JSON.parse(text) as Operation;
  return JSON.stringify({ ...operation, operationId: operationIdOf(revision), revision });
}

export const BROKEN_SEALINGS = {
  "binds no revision to a value": withSealer(({ seal, open }) => ({
    seal: (operation) =>
      withRevision(seal({ ...operation, revision: NO_REVISION }), operation.revision),
    open: (operation) => open({ ...operation, revision: NO_REVISION }),
  })),

  "uses a nonce again": (encryption) =>
    changeEncryption(encryption, {
      createSealer: (keys) => createSealer(keys, () => ONE_NONCE),
    }),

  "does not check a key": (encryption) =>
    changeEncryption(encryption, {
      readKeyEntity(operations, dataKey) {
        const result = encryption.readKeyEntity(operations, dataKey);
        if (result.kind !== "other-key") return result;
        return { kind: "account-key", keys: encryption.createAccountKeys(dataKey) };
      },
    }),

  "names a field alike in all entities": withSealer(nameAlike),

  "merges before it opens": (encryption) =>
    changeEncryption(encryption, {
      createForm: (sealer) => ({ ...encryption.createForm(sealer), isReadable: () => true }),
    }),

  "believes a lifecycle that nothing vouches for": withSealer(({ open }) => ({
    open(operation) {
      const result = open(operation);
      const isForged = result.kind === "unreadable" && result.reason === "lifecycle";
      return isForged ? open({ ...operation, kind: "patch", metadataFields: [] }) : result;
    },
  })),
} as const satisfies Readonly<Record<string, BreakEncryption>>;

/** The names that belong to the entities, by those that replace them on the wire. */
const ownNames = new Map<string, string>();

function nameAlike({ seal, open, sealedName }: Sealer): Partial<Sealer> {
  return {
    seal(operation) {
      const sealed = JSON.parse(seal(operation)) as Operation;
      const { entityId } = sealed.document;
      const alike = new Map<string, string>();
      for (const part of ["payload", "metadata"] as const) {
        for (const name of ["", ...operation[`${part}Fields`].map((field) => field.name)]) {
          const [own, other] = [entityId, "sealed/any"].map((id) => sealedName(id, part, name));
          alike.set(own ?? "", other ?? "");
          ownNames.set(`${entityId} ${other}`, own ?? "");
        }
      }
      return JSON.stringify(rename(sealed, (name) => alike.get(name) ?? name));
    },
    open: (operation) => open(toOwnNames(operation)),
  };
}

function toOwnNames(operation: ParsedOperation): ParsedOperation {
  const own = (name: string) => ownNames.get(`${operation.entityId} ${name}`) ?? name;
  if (operation.text !== "") {
    return parseOperation(JSON.stringify(rename(JSON.parse(operation.text) as Operation, own)));
  }
  const renameFields = (fields: ParsedOperation["payloadFields"]) =>
    fields.map(({ name, json }) => ({ name: own(name), json }));
  return {
    ...operation,
    payloadFields: renameFields(operation.payloadFields),
    metadataFields: renameFields(operation.metadataFields),
  };
}

function rename(operation: Operation, toName: (name: string) => string): object {
  const { document, changedFields, changedMetadataFields } = operation;
  const { schemaVersion, entityId, deleted, payload, ...metadata } = document;
  const renamed = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields)
        .map(([name, value]) => [toName(name), value as unknown] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return {
    ...operation,
    document: {
      schemaVersion,
      entityId,
      deleted,
      ...(payload && { payload: renamed(payload) }),
      ...renamed(metadata),
    },
    changedFields: changedFields.map(toName).toSorted(),
    changedMetadataFields: changedMetadataFields.map(toName).toSorted(),
  };
}
