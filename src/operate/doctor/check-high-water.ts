/** Whether a store that is put back from an older copy would be noticed. */
import { existsSync, readFileSync } from "node:fs";
import { warning, type Finding } from "./finding.ts";

/** A machine that never had a store in a database server open has no file of it. */
export function checkHighWater(
  subject: string,
  path: string,
  { isExpected }: { readonly isExpected: boolean },
): Finding[] {
  const isThere = existsSync(path);
  if (isThere ? isReadable(path) : !isExpected) return [];
  return [
    warning(
      subject,
      isThere
        ? `the high-water file ${path} is damaged, so a rollback of the store goes unnoticed`
        : `the high-water file ${path} is missing, so a rollback of the store goes unnoticed`,
      "start `trellis serve`, which writes it again; a copy of the data folder includes this file",
    ),
  ];
}

/** Each line is an object of JSON; a service that has nothing to say in the first one leaves it empty. */
function isReadable(path: string): boolean {
  try {
    const lines = readFileSync(path, "utf8").replaceAll("\0", "").split("\n");
    const written = lines.filter((line) => line.trim() !== "");
    return written.length > 0 && written.every((line) => JSON.parse(line) !== null);
  } catch {
    return false;
  }
}
