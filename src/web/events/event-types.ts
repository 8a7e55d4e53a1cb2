/** The display names of event types. An unknown type is shown as it is. */
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";

const NAMES: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map([
  ["homework", { en: "Homework", de: "Hausaufgabe" }],
  ["exam", { en: "Exam", de: "Klausur" }],
  ["test", { en: "Test", de: "Test" }],
  ["presentation", { en: "Presentation", de: "Referat" }],
  ["task", { en: "Task", de: "Aufgabe" }],
  ["info", { en: "Info", de: "Info" }],
]);

export function typeName(type: string, language: Language): string {
  return NAMES.get(type)?.[language] ?? type;
}

export function typeBadge(type: string, language: Language): Html {
  return html`<span class="badge" ${NAMES.has(type) && html` data-type="${type}"`}
    >${typeName(type, language)}</span
  >`;
}

/** Includes the chosen type, even if it is unknown. */
export function typeChoices(types: readonly string[], chosen: string, language: Language) {
  const all = chosen === "" || types.includes(chosen) ? types : [...types, chosen];
  return all.map((type) => ({ value: type, label: typeName(type, language) }));
}
