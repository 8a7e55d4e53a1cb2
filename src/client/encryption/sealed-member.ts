/** The member `sealed` of a stored operation: an envelope or, until it is sent, the plain text itself. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { ENVELOPE_NAME } from "../../rules/sync/sealed-operation.ts";

/** Every other value is the empty text, so nothing else can look like it. A device writes no other spelling. */
const MEMBER = /"sealed":("[^"\\]*(?:\\.[^"\\]*)*")/;

/** The text must be that of a stored operation. Empty when it has no such member. */
export function readSealedMember(text: string): string {
  const [, json] = MEMBER.exec(text) ?? [];
  const member = json === undefined ? findMember(text) : parseJson(json);
  return typeof member === "string" ? member : "";
}

/** Another program may have written the operation in another spelling. */
function findMember(text: string): unknown {
  const operation = parseJson(text);
  const document = isObject(operation) ? operation["document"] : undefined;
  return isObject(document) ? document[ENVELOPE_NAME] : undefined;
}
