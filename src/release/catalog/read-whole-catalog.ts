/** Reads a catalogue with every line of its archive, for who serves or signs it. Others read the line that they need. */
import type { Catalog } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { DamagedArchiveError } from "../archive/archive-error.ts";
import { readCatalog, type CatalogReadResult } from "./read-catalog.ts";

export async function readWholeCatalog(folder: string, now: number): Promise<CatalogReadResult> {
  const result = await readCatalog(folder, now);
  const error = result.kind === "loaded" ? findDamage(result.catalog) : null;
  return error === null ? result : { kind: "invalid", errors: [error] };
}

function findDamage({ archive }: Catalog): CatalogFileError | null {
  try {
    for (const entry of archive?.entries.values() ?? []) archive?.readLine(entry);
    return null;
  } catch (error) {
    if (error instanceof DamagedArchiveError) return error.error;
    throw error;
  }
}
