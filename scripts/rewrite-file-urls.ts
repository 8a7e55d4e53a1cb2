import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** How the sources name a file or folder that is read when they run. */
const URL_OF_FILE = /new URL\("(\.[^"]+)", import\.meta\.url\)/g;

/** The source file, with what `write` gives in the place of each such file or folder. */
export async function rewriteFileUrls(
  path: string,
  write: (url: URL) => string | Promise<string>,
): Promise<string> {
  let source = await readFile(path, "utf8");
  for (const [expression, target = ""] of source.matchAll(URL_OF_FILE)) {
    source = source.replace(expression, await write(new URL(target, pathToFileURL(path))));
  }
  return source;
}
