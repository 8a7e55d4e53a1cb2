/** The origin rules with the platform's URL parser. */
import {
  parseServiceOrigin as parseWith,
  type OriginResult,
} from "../../rules/events/client/service-origin.ts";

export function parseServiceOrigin(text: string): OriginResult {
  return parseWith(text, (address) => (URL.canParse(address) ? new URL(address) : null));
}
