import type { SourceArtifact } from "../../contract/release/catalog.ts";
import { fileNameOfUrl } from "../../rules/release/file-name.ts";

// Plain enough for every shell between double quotes.
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._+()-]*$/;

/**
 * What a browser calls the downloaded file: the end of its address. Builders use spaces and plus signs
 * there, which the public file name cannot have.
 */
export function savedName({ url, fileName }: Pick<SourceArtifact, "url" | "fileName">): string {
  const name = fileNameOfUrl(url);
  return PLAIN_NAME.test(name) && extension(name) === extension(fileName) ? name : fileName;
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf(".")).toLowerCase();
}
