/** The names of fields that can be sealed. */

export type OperationPart = "payload" | "metadata";

/** The metadata field of this name tells an entity's id and lifecycle, so an app cannot have one. */
export const LIFECYCLE_NAME = "";

/** UTF-8 would make one name of all that are no well-formed UTF-16. */
export function isSealableName(part: OperationPart, name: string): boolean {
  return name.isWellFormed() && !(part === "metadata" && name === LIFECYCLE_NAME);
}
