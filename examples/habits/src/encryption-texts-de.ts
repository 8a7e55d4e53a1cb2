import type { encryptionEn } from "./encryption-texts-en.ts";

export const encryptionDe: typeof encryptionEn = {
  title: "Verschlüsselung",
  on: "Dein Server kann deine Gewohnheiten nicht lesen",
  onText:
    "Sie werden auf diesem Gerät verschlüsselt, bevor sie gesendet werden. Nur deine Geräte haben den Schlüssel dazu.",
  clear: "Dein Server speichert deine Gewohnheiten unverschlüsselt: Sein Betreiber kann sie lesen.",
  needed: "Dieses Gerät braucht deinen Schlüssel",

  neededTitle: "Dein Schlüssel",
  intro:
    "Deine Gewohnheiten werden verschlüsselt, bevor sie dieses Gerät verlassen. Dein Server speichert sie, aber nur Geräte mit deinem Schlüssel können sie lesen.",
  asking: "Die App fragt deinen Server, ob dein Konto schon einen Schlüssel hat …",
  firstTitle: "Dein Konto hat noch keinen Schlüssel",
  firstText:
    "Die App erzeugt einen Schlüssel und zeigt ihn dir als Wiederherstellungsschlüssel, zum Drucken oder Sichern. Du brauchst ihn für jedes weitere Gerät. Hat ein anderes Gerät deine Gewohnheiten schon, dann öffne die App zuerst dort.",
  make: "Schlüssel erzeugen",
  making: "Schlüssel wird erzeugt …",
  otherTitle: "Ein anderes deiner Geräte hat den Schlüssel",
  otherText: "Öffne dort die Einstellungen und wähle „Wiederherstellungsschlüssel zeigen“.",
  replacedTitle: "Dein Schlüssel wurde ersetzt",
  replacedText: (deviceId, moment) =>
    `Das Gerät ${deviceId} hat einen neuen Schlüssel erzeugt (${moment}). Gib den neuen Wiederherstellungsschlüssel ein, um weiterzumachen. Was du hier seitdem getan hast, bleibt erhalten. War das keines deiner Geräte, dann ändere dein Passwort und melde alle Geräte ab.`,
  disagreesText:
    "Der Server hat andere Schlüssel als dieses Gerät, und dein bisheriger Schlüssel bestätigt sie nicht. Es wird nichts gesendet, und nichts geht verloren. Hast du inzwischen einen neuen Schlüssel erzeugt, dann gib dessen Wiederherstellungsschlüssel ein.",
  notPassword: "Der Schlüssel ist nicht das Passwort, mit dem du dich anmeldest.",
  field: "Wiederherstellungsschlüssel",
  fieldHint: "14 Gruppen mit je 4 Zeichen. Großschreibung, Leerzeichen und Striche sind egal.",
  enter: "Schlüssel verwenden",
  entering: "Schlüssel wird geprüft …",
  scan: "QR-Code scannen",
  cannotScan:
    "Dieser Browser kann keine QR-Codes scannen. Bitte tippe den Schlüssel oder füge ihn ein.",
  scanning: "Halte den QR-Code vor die Kamera",
  stopScan: "Kamera ausschalten",
  noCamera: "Die Kamera ist nicht nutzbar. Bitte tippe den Schlüssel oder füge ihn ein.",
  unlocked: "Dieses Gerät kann deine Gewohnheiten jetzt lesen",
  unlockedUnchecked:
    "Der Schlüssel ist hier gespeichert. Mit der nächsten Verbindung wird er geprüft.",
  keyErrors: {
    "typing-error":
      "Das ist kein Wiederherstellungsschlüssel: Ein Zeichen ist falsch oder fehlt. Vergleiche ihn mit dem Original.",
    "other-key": "Das ist ein Wiederherstellungsschlüssel, aber nicht der für dieses Konto.",
    "other-account":
      "Dieser Schlüssel gehört zu einem anderen Konto als die Gewohnheiten auf diesem Gerät. Es wurde nichts verändert.",
    replaced:
      "Dieser Schlüssel wurde durch einen neueren ersetzt. Gib den neuesten Wiederherstellungsschlüssel ein.",
    "key-exists":
      "Ein anderes deiner Geräte hat schon einen Schlüssel erzeugt. Gib dessen Wiederherstellungsschlüssel hier ein. Nichts ist verloren.",
    "not-empty":
      "Dieses Konto hat schon Daten, deshalb lässt sich hier kein Schlüssel erzeugen. Öffne die App zuerst auf dem Gerät, das sie hat.",
    "sign-in-first": "Melde dich zuerst an. Der Schlüssel gehört zu einem Konto.",
    offline: "Der Server ist nicht erreichbar. Versuche es noch einmal, sobald du verbunden bist.",
    "key-needed": "Dieses Gerät braucht zuerst deinen aktuellen Schlüssel.",
  },

  keyTitle: "Dein Wiederherstellungsschlüssel",
  keyFacts: [
    "Er öffnet deine Gewohnheiten auf einem weiteren Gerät, oder wenn alle deine Geräte weg sind.",
    "Verlierst du ihn und alle deine Geräte, sind deine Gewohnheiten verloren: Weder der Hersteller dieser App noch der Betreiber deines Servers kann helfen.",
    "Wer ihn hat und sich als du anmelden kann, kann alles lesen. Bewahre ihn auf wie einen Hausschlüssel.",
    "Er ist nicht das Passwort, mit dem du dich anmeldest.",
  ],
  groups: "Der Wiederherstellungsschlüssel in 14 Gruppen",
  qr: "Der Wiederherstellungsschlüssel als QR-Code",
  qrHint: "Ein weiteres Gerät kann diesen Code scannen, dann musst du nichts tippen.",
  print: "Drucken",
  save: "Als Datei sichern",
  copy: "Kopieren",
  copied: "Kopiert. Füge ihn in deinen Passwortmanager ein.",
  notCopied: "Der Browser erlaubt das Kopieren hier nicht. Bitte schreib den Schlüssel ab.",
  fileName: "gewohnheiten-wiederherstellungsschluessel.txt",
  fileTitle: "Gewohnheiten: Wiederherstellungsschlüssel",
  done: "Fertig",
  next: "Ich habe ihn gesichert",
  confirmTitle: "Hast du ihn?",
  confirmText:
    "Nimm, was du gedruckt, gesichert oder abgeschrieben hast, und tippe zwei Gruppen davon ab.",
  group: (number) => `Gruppe ${number}`,
  wrongGroup: (number) =>
    `Das ist nicht Gruppe ${number}. Vergleiche mit dem, was du gesichert hast, oder sieh dir den Schlüssel noch einmal an.`,
  again: "Schlüssel noch einmal ansehen",
  confirm: "Bestätigen",
  confirmed: "Gut. Bewahre deinen Wiederherstellungsschlüssel sicher auf.",
  keepTitle: "Sichere deinen Wiederherstellungsschlüssel",
  keepText: "Ohne ihn lassen sich die Gewohnheiten eines verlorenen Geräts nicht zurückholen.",
  keepAction: "Schlüssel ansehen",

  show: "Wiederherstellungsschlüssel zeigen",
  goOn: "Weiter",
  facts: "Was geschützt ist",
  protected: [
    "Die Namen deiner Gewohnheiten, ihre Notizen, wann du sie erledigt hast: Dein Server speichert nur, was er nicht lesen kann, und seine Sicherungen auch.",
    "Der Server sieht weiterhin, wie viele Einträge du hast, wann sie sich ändern, auf welchem Gerät, und ungefähr, wie lang sie sind.",
    "Wer diesen Browser benutzen kann, kann auf diesem Gerät deine Gewohnheiten und den Schlüssel lesen.",
  ],

  newKey: "Neuen Schlüssel erzeugen",
  newKeyHint:
    "Erzeuge einen neuen Schlüssel, wenn ein Gerät verloren ging oder jemand deinen Wiederherstellungsschlüssel gesehen hat.",
  newKeyFacts: [
    "Was deine Geräte von jetzt an schreiben, wird mit dem neuen Schlüssel verschlüsselt. Der alte öffnet es nicht, und dein Server nimmt nichts von einem Gerät an, das nur den alten hat.",
    "Was du vorher geschrieben hast, bleibt, wie es ist: Wer das verlorene Gerät oder den alten Wiederherstellungsschlüssel hat, kann es schon gelesen haben, und das macht kein neuer Schlüssel rückgängig.",
    "Jedes deiner anderen Geräte fragt nach dem neuen Wiederherstellungsschlüssel. Der alte gilt für kein weiteres Gerät mehr.",
    "Ging ein Gerät verloren, dann melde es zuerst ab, auf der Seite deines Servers.",
  ],
  newKeyMade: "Der neue Schlüssel gilt",

  unreadableTitle: (count) =>
    count === 1
      ? "Ein Eintrag kann nicht gelesen werden"
      : `${count} Einträge können nicht gelesen werden`,
  unreadableText:
    "Der Server hat etwas gesendet, das dieses Gerät bei der Prüfung abgelehnt hat. Es wird nicht angezeigt und ändert nichts an dem, was du hast. Die App fragt noch einmal danach.",
  unreadable: {
    damaged: "Es wurde verändert, nachdem eines deiner Geräte es verschlüsselt hatte.",
    "unknown-key": "Es wurde mit einem Schlüssel verschlüsselt, der nicht deiner ist.",
    "not-sealed": "Es ist nicht verschlüsselt, kommt also nicht von deinen Geräten.",
  },
  unreadableEntry: "Ein Eintrag",
};
