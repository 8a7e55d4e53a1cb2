/** A file's two names: `fileName` of letters, digits, `.`, `-` and `_`; the address keeps the builder's. */
import { FILE_NAME_PATTERN } from "../../contract/release/values.ts";

const FILE_NAME = new RegExp(FILE_NAME_PATTERN);
/** Takes the hyphens beside other characters along, so that "a - b" becomes "a-b". */
const NOT_ALLOWED = /[^A-Za-z0-9._]+/g;

export function isPublicFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Null when too little of the name is left. A name that is allowed stays as it is. */
export function toPublicFileName(name: string): string | null {
  if (isPublicFileName(name)) return name;
  const plain = name.normalize("NFKD").replaceAll(/\p{Mark}/gu, "");
  const dot = plain.lastIndexOf(".");
  const stem = clean(dot < 0 ? plain : plain.slice(0, dot)).replace(/^[^A-Za-z0-9]+/, "");
  const ending = clean(dot < 0 ? "" : plain.slice(dot));
  return stem !== "" && isPublicFileName(stem + ending) ? stem + ending : null;
}

/** A hyphen at the end or before a dot stands for nothing. */
function clean(text: string): string {
  return text
    .replaceAll(NOT_ALLOWED, (found) => (/^-+$/.test(found) ? found : "-"))
    .replaceAll(/-+\.?/g, (found, at: number, whole) => {
      if (found.endsWith(".")) return ".";
      return at + found.length === whole.length ? "" : found;
    });
}

/** The last segment of an address, percent-decoded; empty when it has none. */
export function fileNameOfUrl(url: string): string {
  const [path = ""] = url.replace(/^https:\/\/[^/?#]*/, "").split(/[?#]/);
  const segment = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
