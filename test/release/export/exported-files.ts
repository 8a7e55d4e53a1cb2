/** The files of an export, and the responses that they are. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function listExported(tree: string): string[] {
  const files = globSync("**/*.{json,yml,xml}", { cwd: join(tree, "public") });
  return files.map((file) => `/${file}`);
}

/** The path whose response a file is. */
export function addressOf(file: string): string {
  if (/^\/feeds\/tauri\/\w+\/.*\/index\.json$/.test(file)) {
    return file.replace("index.json", "1.0.0");
  }
  if (/^\/feeds\/(?!files\/|archive\/)/.test(file)) return file;
  return file.replace(/\/index\.json$/, "").replace(/\/beta\.json$/, "?channel=beta");
}

export async function expectServedAlike(
  tree: string,
  fetch: (target: string) => Promise<Response>,
): Promise<void> {
  for (const file of listExported(tree)) {
    const response = await fetch(addressOf(file));
    assert.equal(response.status, 200, file);
    const written = readFileSync(join(tree, "public", file));
    assert.deepEqual(written, Buffer.from(await response.arrayBuffer()), file);
  }
}
