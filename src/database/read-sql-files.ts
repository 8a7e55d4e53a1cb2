import { readdir, readFile } from "node:fs/promises";

/** The texts of the `.sql` files in a folder by their names. The single executable has them inside. */
export async function readSqlFiles(folder: URL): Promise<ReadonlyMap<string, string>> {
  const base = folder.href.endsWith("/") ? folder : new URL(`${folder.href}/`);
  const names = (await readdir(base)).filter((name) => name.endsWith(".sql"));
  const texts = names.map(
    async (name) => [name, await readFile(new URL(name, base), "utf8")] as const,
  );
  return new Map(await Promise.all(texts));
}
