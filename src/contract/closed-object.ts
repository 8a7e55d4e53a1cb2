import Type, { type TObject, type TProperties } from "typebox";

/** An object with these members and no others. */
export function closedObject<T extends TProperties>(properties: T, options = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}
