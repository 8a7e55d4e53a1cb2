/** The keys and the operations of an export or of a backup, as a server wrote them. */
import { readFile } from "node:fs/promises";
import { beginsLikeBackup } from "../../../../backup/format/file-start.ts";
import { openBackup } from "../../../../backup/format/open-backup.ts";
import { createChecker } from "../../../../contract/check.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { AccountKeyList, type AccountKey } from "../../../../contract/sync/schemas.ts";
import type { Database } from "../../../../database/database.ts";
import { parseJson } from "../../../../rules/parse-json.ts";
import { SYNC_EXAMINER } from "../../../../sync/maintenance/backup.ts";
import { listSqlKeys } from "../../../../sync/sql/sql-keys.ts";
import { CommandError } from "../../../command.ts";

export interface SealedFile {
  /** When the file was written. */
  readonly writtenAt: string;
  /** Oldest first; empty of data that is not sealed. */
  readonly keys: readonly AccountKey[];
  entities(): AsyncIterable<WrittenEntity>;
}

export interface WrittenEntity {
  readonly entityId: string;
  /** The texts of its operations; a text that is none is listed like any that does not open. */
  readonly operations: readonly string[];
}

/** Runs `work` while the file is open. `identities` open an encrypted backup. */
export async function useSealedFile<T>(
  path: string,
  identities: readonly string[],
  work: (file: SealedFile) => Promise<T>,
): Promise<T> {
  if (!(await beginsLikeBackup(path))) return work(parseExport(await readText(path)));
  // The machine of an owner has no instance key; each operation proves by itself where it comes from.
  const findKey = () => Promise.resolve(null);
  const { manifest, contents, close } = await openBackup(path, SYNC_EXAMINER, findKey, {
    identities,
  });
  try {
    const keys: AccountKey[] = [];
    for await (const key of listSqlKeys(contents)) keys.push(key);
    return await work({
      writtenAt: manifest.createdAt,
      keys,
      entities: () => readEntities(contents),
    });
  } finally {
    await close();
  }
}

/** All operations of the log, not only those that own what the server shows: one that does not open owns nothing. */
async function* readEntities(contents: Database): AsyncGenerator<WrittenEntity> {
  const rows = contents.stream<{ entity_id: string; body: string }>(
    `SELECT entity_id, body FROM sync_operations WHERE instance = $instance
     ORDER BY entity_id, log_offset`,
  );
  let operations: string[] = [];
  let last = "";
  for await (const { entity_id: entityId, body } of rows) {
    if (operations.length > 0 && entityId !== last) {
      yield { entityId: last, operations };
      operations = [];
    }
    last = entityId;
    operations.push(body);
  }
  if (operations.length > 0) yield { entityId: last, operations };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The name may be the recovery key, in the wrong place.
    throw new CommandError(
      code === "ENOENT" || code === "ENAMETOOLONG"
        ? "There is no file of this name: name an export or a backup"
        : `Cannot read the file (${code}): check it and its permissions`,
    );
  }
}

const LIST = createChecker(AccountKeyList);

function parseExport(text: string): SealedFile {
  const value = parseJson(text);
  const { exportedAt, entities, keys = [] } = isObject(value) ? value : {};
  if (!Array.isArray(entities) || typeof exportedAt !== "string" || !LIST.is({ keys })) {
    throw new CommandError(
      "The file is neither an export nor a backup of a sync service, or it is damaged: copy it again, or create another",
    );
  }
  return {
    writtenAt: exportedAt,
    keys: keys as readonly AccountKey[],
    async *entities() {
      for (const entity of entities) yield toWrittenEntity(entity);
    },
  };
}

/** What an export carries in the clear has no operations. */
function toWrittenEntity(entity: unknown): WrittenEntity {
  const { entityId, operations } = isObject(entity) ? entity : {};
  const list = Array.isArray(operations) ? operations : [entity];
  return {
    entityId: typeof entityId === "string" ? entityId : "",
    operations: list.map((operation) => JSON.stringify(operation)),
  };
}
