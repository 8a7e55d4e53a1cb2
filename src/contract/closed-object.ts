import Type, { type TObject, type TProperties } from "typebox";

export function closedObject<T extends TProperties>(properties: T, options = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}
