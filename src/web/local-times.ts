/** Times of a page whose server does not know where its reader is: UTC, until the script knows the zone. */
import type { Language } from "../contract/language.ts";
import { html, type Html } from "./html.ts";
import { describeDay, describeMoment, type Clock, type DateLength } from "./moments.ts";
import { readPageData, writePageData } from "./page-script.ts";

interface ZoneData {
  readonly language: Language;
  readonly now: number;
  /** `{zone}` is replaced. */
  readonly text: string;
}

/** Names the zone of the times of the page. */
export function zoneNote({ language, timeZone, now }: Clock): Html {
  const text = TEXTS[language];
  const data: ZoneData = { language, now, text };
  return html`<p class="fine after" id="zone" data-zone="${writePageData(data)}">
    ${text.replace("{zone}", timeZone)}
  </p>`;
}

export function showLocalTimes(): void {
  const data = readPageData<ZoneData>("zone", "zone");
  const note = document.getElementById("zone");
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // A browser that hides its zone says UTC, or nothing.
  if (data === null || note === null || !timeZone) return;
  const clock: Clock = { ...data, timeZone };
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-shown]")) {
    const [kind, length] = (time.dataset["shown"] ?? "").split(" ");
    const describe = kind === "day" ? describeDay : describeMoment;
    time.textContent = describe(Date.parse(time.dateTime), clock, length as DateLength);
  }
  note.textContent = data.text.replace("{zone}", timeZone);
}

const TEXTS: Readonly<Record<Language, string>> = {
  en: "Times are in the time zone {zone}.",
  de: "Alle Zeiten gelten für die Zeitzone {zone}.",
};
