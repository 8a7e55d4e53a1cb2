/** Words of a reader and the words of the pages, in both languages: a search for one finds the others. */

const SYNONYMS: readonly string[] = [
  "self selbst own eigen eigene eigenen eigener",
  "host hosten hosting betreiben deploy deployment operate",
  "conflict konflikt konflikte merge merges zusammenführen zusammenführung collision",
  "backup sicherung sicherungen sichern datensicherung snapshot",
  "restore wiederherstellen wiederherstellung einspielen recover recovery",
  "encrypt encryption verschlüsseln verschlüsselung verschlüsselt e2ee",
  "update aktualisieren aktualisierung",
  "delete löschen erase",
  "device gerät geräte",
  "phone telefon handy smartphone",
  "lost stolen verloren gestohlen verlust",
  "password passwort kennwort",
  "key schlüssel",
  "error fehler fehlermeldung",
  "database datenbank",
  "calendar kalender ics",
  "docker podman container",
  "postgres postgresql",
  "move umziehen umzug migrate migration",
  "monitor monitoring watch überwachen überwachung metrics",
  "compare comparison alternative alternatives versus vergleich vergleichen",
  "install installieren installation",
];

/** Of a group's word, after `stem`: what all of the group have in common, a sign that no word begins with. */
export function createSynonyms(stem: (word: string) => string): ReadonlyMap<string, string> {
  return new Map(
    SYNONYMS.flatMap((group) =>
      group.split(" ").map((word, _, [first = ""]) => [stem(word), `~${stem(first)}`] as const),
    ),
  );
}
