/** Where a value is in the payload or the metadata of an edit, in words for who makes the app. */
export type ValuePath = readonly (string | number)[];

/** Formats a path such as `payload.notes[1].text`. */
export function formatPath([part = "", ...steps]: ValuePath): string {
  return steps.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${step}`),
    String(part),
  );
}

/** The path of an edit for that of its operation, whose document has the metadata beside the payload. */
export function toEditPath([, part = "", ...steps]: ValuePath): ValuePath {
  return part === "payload" ? [part, ...steps] : ["metadata", part, ...steps];
}
