/** The name of a device in the list of its owner. */
import { MAX_DEVICE_NAME_CHARACTERS } from "../../contract/sync/device-name.ts";

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** One line; it may be empty, or too long. */
export function cleanDeviceName(text: string): string {
  return text.toWellFormed().replace(CONTROL, " ").trim();
}

/** A name that an app may send; null for a text without one. */
export function toDisplayName(text: string): string | null {
  const name = [...cleanDeviceName(text)].slice(0, MAX_DEVICE_NAME_CHARACTERS).join("").trim();
  return name === "" ? null : name;
}
