import Type from "typebox";
import { LANGUAGES } from "./language.ts";
import type { Parameter } from "./route.ts";

/** The query parameter `lang` of a page. */
export function languageParameter<const Code extends string>(invalid: Code) {
  return {
    schema: Type.Enum(LANGUAGES.toSorted(), { type: "string" }),
    description: "Language of the page; Accept-Language decides when it is absent",
    invalid,
  } as const satisfies Parameter;
}
