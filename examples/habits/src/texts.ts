/** All words of the app, in English and German. */
import { en, type Texts } from "./texts-en.ts";
import { de } from "./texts-de.ts";

export type Language = "de" | "en";
export type { Texts };

export const TEXTS: Readonly<Record<Language, Texts>> = { de, en };
