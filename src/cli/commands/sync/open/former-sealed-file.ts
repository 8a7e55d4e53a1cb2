/** The entities of an export or of a backup, as a server wrote them. */
import { readFile } from "node:fs/promises";
import { beginsLikeBackup } from "../../../../backup/format/file-start.ts";
import { openBackup } from "../../../../backup/format/open-backup.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { KEY_ENTITY_ID } from "../../../../contract/sync/operation-limits.ts";
import { parseJson } from "../../../../rules/parse-json.ts";
import { parseEntityState } from "../../../../rules/sync/entity-state-text.ts";
import type { EntityState, Register, Registers } from "../../../../rules/sync/merge.ts";
import { parseOperation, type ParsedOperation } from "../../../../rules/sync/operation-text.ts";
import { exportedState } from "../../../../sync/log/export-entities.ts";
import { SYNC_EXAMINER } from "../../../../sync/maintenance/backup.ts";
import { CommandError } from "../../../command.ts";

export type FormerEntity = Pick<
  EntityState,
  "entityId" | "deleted" | "payloadFields" | "metadataFields"
>;

export interface FormerSealedFile {
  /** When the file was written. */
  readonly writtenAt: string;
  /** Can be read more than once. */
  entities(): AsyncIterable<FormerEntity>;
  /** The operations of the key entity: its state may have what a key does not vouch for. Null of an export. */
  keyOperations(): Promise<readonly ParsedOperation[] | null>;
}

/** Runs `work` while the file is open. `identities` open an encrypted backup. */
export async function useFormerFile<T>(
  path: string,
  identities: readonly string[],
  work: (file: FormerSealedFile) => Promise<T>,
): Promise<T> {
  if (!(await beginsLikeBackup(path))) return work(parseExport(await readText(path)));
  // The machine of an owner has no instance key; each value proves by itself where it comes from.
  const findKey = () => Promise.resolve(null);
  const { manifest, contents, close } = await openBackup(path, SYNC_EXAMINER, findKey, {
    identities,
  });
  try {
    return await work({
      writtenAt: manifest.createdAt,
      async *entities() {
        const rows = contents.stream<{ state: string }>("SELECT state FROM sync_entities");
        for await (const { state } of rows) {
          const entity = exportedState(parseEntityState(state));
          if (entity !== null) yield entity;
        }
      },
      async keyOperations() {
        const operations: ParsedOperation[] = [];
        const rows = contents.stream<{ body: string }>(
          "SELECT body FROM sync_operations WHERE entity_id = $1",
          [KEY_ENTITY_ID],
        );
        for await (const { body } of rows) operations.push(parseOperation(body));
        return operations;
      },
    });
  } finally {
    await close();
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === "ENOENT"
        ? `There is no file "${path}": name an export or a backup`
        : `Cannot read "${path}" (${code}): check the file and its permissions`,
    );
  }
}

function parseExport(text: string): FormerSealedFile {
  const value = parseJson(text);
  const list = isObject(value) && Array.isArray(value["entities"]) ? value["entities"] : null;
  const writtenAt = isObject(value) ? value["exportedAt"] : null;
  if (list === null || typeof writtenAt !== "string") {
    throw new CommandError(
      "The file is neither an export nor a backup of a sync service, or it is damaged: copy it again, or create another",
    );
  }
  return {
    writtenAt,
    async *entities() {
      for (const entity of list) yield toWrittenEntity(entity);
    },
    keyOperations: () => Promise.resolve(null),
  };
}

/** What is not as an export writes it does not open, and is told like any other. */
function toWrittenEntity(entity: unknown): FormerEntity {
  const { entityId, payload, metadata } = isObject(entity) ? entity : {};
  return {
    entityId: typeof entityId === "string" ? entityId : "",
    deleted: false,
    payloadFields: toRegisters(payload),
    metadataFields: toRegisters(metadata),
  };
}

function toRegisters(fields: unknown): Registers {
  const entries = isObject(fields) ? Object.entries(fields) : [];
  return new Map(entries.map(([name, field]) => [name, toRegister(field)]));
}

function toRegister(field: unknown): Register {
  const { value = null, revision } = isObject(field) ? field : {};
  const { deviceId, sequence } = isObject(revision) ? revision : {};
  return {
    json: JSON.stringify(value),
    revision: {
      deviceId: typeof deviceId === "string" ? deviceId : "",
      sequence: typeof sequence === "number" ? sequence : 0,
    },
  };
}
