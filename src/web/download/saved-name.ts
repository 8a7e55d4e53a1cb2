import type { SourceArtifact } from "../../contract/release/catalog.ts";

// Plain enough for every shell between double quotes.
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._+()-]*$/;

/**
 * What a browser calls the downloaded file: the end of its address. Builders use spaces and plus signs
 * there, which the public file name cannot have.
 */
export function savedName({ url, fileName }: Pick<SourceArtifact, "url" | "fileName">): string {
  const name = lastSegment(url);
  return name !== null && PLAIN_NAME.test(name) && extension(name) === extension(fileName)
    ? name
    : fileName;
}

function lastSegment(url: string): string | null {
  const path = URL.parse(url)?.pathname ?? "";
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
  } catch {
    return null;
  }
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf(".")).toLowerCase();
}
