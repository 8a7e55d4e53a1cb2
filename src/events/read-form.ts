/** The forms of the pages: url-encoded, bounded, strict UTF-8, each member at most once. */
import { FORM_TYPE, MAX_PAGE_BODY_BYTES } from "../contract/events/values.ts";
import type { HttpError } from "../http/http-error.ts";
import { readText } from "../http/read-body.ts";
import type { RequestContext } from "../http/request-context.ts";
import { parseParameters } from "../rules/events/wire/parse-parameters.ts";

export interface PostedForm {
  readonly kind: "form";
  /** What was given, or an empty text. */
  text(name: string): string;
}

export async function readForm(
  context: Pick<RequestContext, "header" | "body">,
): Promise<PostedForm | HttpError> {
  const body = await readText(context, { mediaType: FORM_TYPE, maxBytes: MAX_PAGE_BODY_BYTES });
  if (body.kind !== "text") return body;
  const { values, repeated, malformed } = parseParameters(body.text);
  if (repeated.size + malformed.size > 0) return { kind: "malformed-request", status: 400 };
  return { kind: "form", text: (name) => values.get(name) ?? "" };
}
