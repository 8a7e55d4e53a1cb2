import { formatWait } from "./countdown.ts";

/** The text of an error by its kind; `{time}` becomes the time to wait. */
export function explainError<Kind extends string>(
  error: { readonly kind: Kind; readonly seconds?: number },
  messages: Readonly<Record<Kind, string>>,
): string {
  const text = messages[error.kind];
  return error.seconds === undefined
    ? text
    : text.replace("{time}", formatWait(error.seconds, document.documentElement.lang));
}
