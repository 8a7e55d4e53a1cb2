import { encryptionDe } from "./encryption-texts-de.ts";
import type { Texts } from "./texts-en.ts";

const habits = (count: number) => (count === 1 ? "1 Gewohnheit" : `${count} Gewohnheiten`);
const days = (count: number) => (count === 1 ? "1 Tag" : `${count} Tage`);
const changes = (count: number) => (count === 1 ? "1 Änderung" : `${count} Änderungen`);

export const de: Texts = {
  appName: "Gewohnheiten",
  cannotStart: "Die App kann nicht starten",
  startErrors: {
    unreachable:
      "Der Server der App ist nicht erreichbar. Prüfe deine Verbindung und lade die Seite neu.",
    "no-config":
      "Der Server der App hat keine Einstellungen für sie. Bitte sag es seinem Betreiber.",
    "webcrypto-missing":
      "Die App braucht Verschlüsselung, und die schalten Browser auf Seiten ohne HTTPS ab. Öffne die App unter einer Adresse, die mit https:// beginnt.",
    "storage-missing":
      "Dieser Browser hat kein IndexedDB, in dem die App deine Gewohnheiten speichert. Aktualisiere den Browser oder nimm einen anderen.",
    "storage-denied":
      "Der Browser lässt diese App nichts speichern. Erlaube Websitedaten und Cookies für diese Adresse oder verlasse das private Fenster. Lade die Seite dann neu.",
    "storage-failed":
      "Der Browser kann seinen Speicher nicht öffnen. Schaffe Platz auf diesem Gerät, starte den Browser neu und lade die Seite dann noch einmal.",
    unexpected:
      "Lade die Seite neu. Hilft das nicht, schreib dem Hersteller der App, was hier darunter steht.",
  },
  notLoaded:
    "Dieser Teil der App konnte nicht geladen werden. Prüfe die Verbindung und lade die App neu.",
  reload: "Neu laden",
  skip: "Zum Inhalt springen",
  back: "Zurück",
  close: "Schließen",
  undo: "Rückgängig",
  save: "Speichern",
  cancel: "Abbrechen",
  notSaved: (message) => `Nicht gespeichert: ${message}`,

  today: {
    title: "Heute",
    progress: (done, total) => `${done} von ${total} erledigt`,
    allDone: "Für heute ist alles erledigt",
    otherDays: "Heute nicht geplant",
    damaged: (count) =>
      count === 1
        ? "Ein Eintrag kann nicht angezeigt werden"
        : `${count} Einträge können nicht angezeigt werden`,
    damagedText:
      "Eine andere App hat sie in einer Form gespeichert, die diese App nicht kennt, oder sie sind beschädigt. Eine neuere Version dieser App kann sie vielleicht anzeigen.",
    damagedDeleted: (count) => (count === 1 ? "Eintrag gelöscht" : `${count} Einträge gelöscht`),
    add: "Neue Gewohnheit",
    settings: "Einstellungen",
    archive: "Archiv",
    emptyTitle: "Fang mit etwas Kleinem an",
    emptyText:
      "Was nur eine Minute dauert, hältst du durch. Wähle einen Vorschlag oder denk dir etwas Eigenes aus.",
    suggestions: [
      {
        name: "Wasser trinken",
        icon: "drop",
        tone: "teal",
        category: "Gesundheit",
        targetCount: 6,
      },
      {
        name: "Zehn Seiten lesen",
        icon: "book",
        tone: "violet",
        category: "Kopf",
        targetCount: 1,
      },
      {
        name: "Spazieren gehen",
        icon: "walk",
        tone: "green",
        category: "Gesundheit",
        targetCount: 1,
      },
    ],
    addSuggestion: (name) => `„${name}“ hinzufügen`,
    fetchingTitle: "Deine Gewohnheiten werden geholt",
    fetchingText: "Dieses Gerät ist gerade erst dazugekommen. Was dein Konto hat, ist gleich hier.",
    fetchingOffline:
      "Es gibt noch keine Verbindung. Was dein Konto hat, kommt, sobald es eine gibt; hinzufügen kannst du schon jetzt etwas.",
    categories: "Bereiche",
    allCategories: "Alle",
    group: "In Gruppen",
    order: "Reihenfolge ändern",
    alreadyElsewhere: "Nutzt du die App schon auf einem anderen Gerät?",
  },

  habit: {
    markDone: (name) => `${name}: erledigt`,
    countUp: (name, count, target) => `${name}: ${count}/${target}, eins dazu`,
    lastDays: (done) => `An ${done} der letzten 7 Tage erledigt`,
    thisWeek: (done, target) => `${done} von ${target} in dieser Woche`,
    due: (day) => `Fällig ${day}`,
    overdue: (day) => `War ${day} fällig`,
    from: (service) => `Aus ${service}`,
    isSkipped: "Zählt heute nicht",
    skipped: (name) => `${name}: Der Tag zählt nicht`,
    counts: (name) => `${name}: Der Tag zählt`,
    cleared: (name) => `${name} ist wieder offen`,
  },

  history: {
    edit: "Bearbeiten",
    archive: "Archivieren",
    archived: (name) => `„${name}“ ist im Archiv`,
    streak: "Serie",
    streakDays: days,
    streakWeeks: (count) => (count === 1 ? "1 Woche" : `${count} Wochen`),
    rate: (count) => `Letzte ${count} Tage`,
    ofDue: (percent, done, due) => `${percent}, ${done} von ${due}`,
    skip: "Heute zählt nicht",
    count: "Heute zählt",
    skipped: "zählt nicht",
    tapMarks: "Ein Tipp auf einen Tag heißt",
    total: "Insgesamt",
    previous: "Voriger Monat",
    next: "Nächster Monat",
    previousYear: "Voriges Jahr",
    nextYear: "Nächstes Jahr",
    done: "erledigt",
    partly: (count, target) => `${count} von ${target}`,
    open: "nicht erledigt",
    frequency: {
      daily: (count) => (count === 1 ? "Jeden Tag" : `${count}-mal am Tag`),
      weekly: (count) => (count === 1 ? "Einmal in der Woche" : `${count}-mal in der Woche`),
      custom: (dayNames) => dayNames,
    },
    gone: "Diese Gewohnheit gibt es nicht mehr. Vielleicht wurde sie auf einem anderen Gerät gelöscht.",
    damaged:
      "Diese Gewohnheit ist in einer Form gespeichert, die diese App nicht kennt, und kann darum nicht angezeigt werden.",
    today: (count, target) => `Heute: ${count} von ${target}`,
    less: "Heute eins weniger",
    more: "Heute eins mehr",
  },

  form: {
    newTitle: "Neue Gewohnheit",
    editTitle: "Gewohnheit bearbeiten",
    name: "Name",
    nameMissing: "Gib der Gewohnheit einen Namen",
    namePlaceholder: "Zum Beispiel: fünf Minuten dehnen",
    note: "Notiz",
    optional: "optional",
    category: "Bereich",
    defaultCategory: "Allgemein",
    icon: "Symbol",
    tone: "Farbe",
    icons: {
      drop: "Tropfen",
      book: "Buch",
      walk: "Gehen",
      leaf: "Blatt",
      moon: "Mond",
      heart: "Herz",
      music: "Musik",
      star: "Stern",
      sun: "Sonne",
      cup: "Tasse",
      home: "Haus",
      bell: "Glocke",
    },
    tones: {
      green: "Grün",
      teal: "Petrol",
      blue: "Blau",
      violet: "Violett",
      rose: "Rosa",
      amber: "Bernstein",
    },
    howOften: "Wie oft",
    frequency: {
      daily: "Jeden Tag",
      custom: "An bestimmten Tagen",
      weekly: "Ein paarmal in der Woche",
    },
    days: "Tage",
    daysMissing: "Wähle mindestens einen Tag",
    timesADay: "Wie oft am Tag",
    timesAWeek: "Wie oft in der Woche",
    less: "Weniger",
    more: "Mehr",
    create: "Hinzufügen",
  },

  order: {
    title: "Reihenfolge",
    hint: "Zieh eine Gewohnheit am Griff, oder nimm die Pfeile. Die Reihenfolge gilt auf allen deinen Geräten.",
    up: (name) => `„${name}“ nach oben`,
    down: (name) => `„${name}“ nach unten`,
    moved: (name, place, total) => `${name}: Platz ${place} von ${total}`,
  },

  archive: {
    title: "Archiv",
    empty:
      "Das Archiv ist leer. Was du archivierst, behält seinen Verlauf und wartet hier auf dich.",
    restore: "Zurückholen",
    restored: (name) => `„${name}“ ist wieder da`,
    delete: "Löschen",
    deleteHabit: (name) => `„${name}“ mit Verlauf löschen`,
    restoreHabit: (name) => `„${name}“ zurückholen`,
    deleted: (name) => `„${name}“ ist mit Verlauf gelöscht`,
    keepsImported: "Bleibt hier, damit es nicht noch einmal importiert wird",
  },

  status: {
    "signed-out": "Nur auf diesem Gerät",
    "up-to-date": "Synchronisiert",
    syncing: "Synchronisiert …",
    offline: "Offline",
    waiting: "Wartet",
    "sign-in-needed": "Wieder anmelden",
    "key-needed": "Schlüssel fehlt",
    blocked: "Sync angehalten",
    "storage-lost": "Anmelden, um alles zurückzuholen",
    pending: (count) => `${changes(count)} zu senden`,
    offlinePending: (count) => `Offline · ${count} zu senden`,
    quarantined: (count) => `${changes(count)} abgelehnt`,
    open: (state) => `Sync: ${state}. Einstellungen öffnen`,
  },

  sync: {
    title: "Sync",
    explain: {
      "signed-out":
        "Melde dich an, dann hast du deine Gewohnheiten auf allen Geräten, auch das, was du hier schon eingetragen hast.",
      "up-to-date": "Alles ist auf deinem Server und für deine anderen Geräte bereit.",
      syncing: "Deine Änderungen werden ausgetauscht.",
      offline:
        "Keine Verbindung. Mach einfach weiter: Deine Änderungen bleiben hier und werden gesendet, sobald es wieder eine gibt.",
      waiting:
        "Einige Änderungen sind noch nicht ausgetauscht. Die App versucht es von selbst wieder.",
      "sign-in-needed":
        "Dieses Gerät wurde abgemeldet. Nichts ist verloren: Melde dich wieder an, dann wird alles gesendet.",
      "key-needed":
        "Deine Gewohnheiten sind verschlüsselt, und dieses Gerät hat den Schlüssel noch nicht. Es wird nichts gesendet oder empfangen, und was du hier tust, bleibt erhalten.",
      "needs-attention":
        "Der Server hat einige deiner Änderungen abgelehnt. Du siehst sie hier, auf deinen anderen Geräten nicht.",
      blocked: "Die App kann nicht synchronisieren, bis das gelöst ist:",
      "storage-lost":
        "Der Browser hat die Daten dieser App gelöscht. Melde dich an, dann kommt alles zurück, was gesendet wurde.",
    },
    needsConnection:
      "Dieser Browser speichert die App selbst nicht: Sie lässt sich nur mit Verbindung öffnen. Deine Gewohnheiten sind trotzdem hier gespeichert.",
    pending: (count) => `${changes(count)} noch nicht gesendet`,
    lastSynced: (when) => `Zuletzt synchronisiert: ${when}`,
    device: "Dieses Gerät",
    now: "Jetzt synchronisieren",
    signIn: "Anmelden",
    signOut: "Abmelden",
    signOutHint: "Wenn du dich abmeldest, bleiben deine Gewohnheiten auf diesem Gerät.",
    signedOut: "Abgemeldet. Deine Gewohnheiten sind noch hier.",
    signedIn: "Angemeldet. Du kannst dieses Fenster schließen.",
    signInFailed: "Die Anmeldung hat nicht geklappt",
    backToApp: "Zurück zur App",
    cardTitle: "Nur auf diesem Gerät",
    cardText: "Melde dich an, um deine Gewohnheiten auch auf deinen anderen Geräten zu sehen.",
    neededTitle: "Bitte melde dich wieder an",
    problems: {
      unreachable: "Der Server ist nicht erreichbar.",
      timeout: "Der Server hat zu lange nicht geantwortet.",
      "rate-limited": "Der Server bittet dieses Gerät, etwas zu warten.",
      "server-error": "Der Server hat ein Problem.",
      "request-refused":
        "Der Server lehnt diese App ab. Prüfe die Adresse oder aktualisiere die App.",
      "quota-exceeded":
        "Der Speicher dieses Kontos ist voll. Deine Änderungen bleiben auf diesem Gerät. Bitte den Betreiber des Servers um mehr.",
      "not-a-sync-server":
        "Unter dieser Adresse antwortet kein Sync-Server, sondern zum Beispiel die Anmeldeseite eines WLANs.",
      "unreadable-page":
        "Der Server hat etwas gesendet, das diese Version nicht lesen kann. Aktualisiere die App.",
      "unstable-log": "Der Server wird gerade repariert. Die App versucht es von selbst wieder.",
      "endless-log": "Der Server sendet immer wieder dasselbe. Bitte sag es seinem Betreiber.",
      "long-log": "Der Server hat viel zu senden. Die App macht von selbst weiter.",
      "exhausted-log":
        "Der Server hat eine Änderung gesendet, die alle weiteren verhindern würde; die App hat sie nicht übernommen. Bitte sag es seinem Betreiber.",
      "profile-mismatch":
        "Der Server ist für eine andere Art von App eingerichtet. Sein Betreiber muss dafür das Profil habits einstellen.",
      "storage-lost":
        "Die Daten dieser App wurden von diesem Gerät entfernt. Melde dich wieder an.",
      "storage-failed":
        "Dieses Gerät kann nichts mehr speichern. Schaffe etwas Platz und starte die App neu.",
      "key-needed":
        "Diesem Gerät fehlt der Schlüssel zu deinen Daten. Gib den Wiederherstellungsschlüssel ein.",
      "keys-disagree":
        "Der Server hat andere Schlüssel als dieses Gerät. Es wurde nichts ausgetauscht: Prüfe Adresse und Konto.",
      "data-in-the-clear":
        "Dieses Gerät hat Daten, die unverschlüsselt synchronisiert wurden; sie bleiben hier. Nutze den alten Server oder für diesen ein anderes Browserprofil.",
      "signed-out": "Dieses Gerät ist abgemeldet.",
      "sign-in-needed": "Die Sitzung dieses Geräts ist zu Ende.",
      closed: "Die App wird geschlossen.",
    },
    signInProblems: {
      "unknown-attempt":
        "Diese Anmeldung ist abgelaufen oder wurde anderswo begonnen. Bitte beginne von vorn.",
      "redirect-not-listed":
        "Der Server kennt diese App nicht. Sein Betreiber muss die Adresse der App als Redirect-URI eintragen.",
      "cors-missing":
        "Der Server lässt diese Seite nicht zu. Sein Betreiber muss die Adresse der App als CORS-Origin eintragen.",
      "missing-code": "Die Anmeldeseite hat nichts zurückgegeben. Beginne von vorn.",
      "code-refused": "Die Anmeldung hat zu lange gedauert. Beginne von vorn.",
      "too-many-devices":
        "Dieses Konto hat so viele Geräte, wie der Server erlaubt. Melde eines auf der Seite des Servers ab und beginne von vorn.",
      "not-the-callback": "Diese Adresse gehört zu einer anderen App. Beginne von vorn.",
      "another-server":
        "Dieses Gerät gehört zu einem anderen Server. Melde es ab und lösche seine Daten, bevor du diesen benutzt.",
    },
    refusedTitle: "Vom Server abgelehnt",
    refusedText:
      "Diese Änderungen sind nur auf diesem Gerät. Versuche sie nach einer Aktualisierung noch einmal, oder verwirf sie.",
    refusedAgain: (reason) => `Der Server lehnt sie weiter ab (${reason})`,
    retried: {
      accepted: "Der Server hat sie angenommen",
      stored: "Sie wird gesendet, sobald es eine Verbindung gibt",
    },
    retry: "Noch einmal versuchen",
    discard: "Verwerfen",
    discarded: "Die Änderung ist verworfen",
    refusedTick: (day) => `Haken vom ${day}`,
    unknownHabit: "Eine gelöschte Gewohnheit",
  },

  encryption: encryptionDe,

  planner: {
    title: "Planer",
    intro: "Verbinde einen Planer: Was dort fällig ist, erscheint hier als Gewohnheit.",
    introNamed: (name) => `Verbinde ${name}: Was dort fällig ist, erscheint hier als Gewohnheit.`,
    address: "Adresse des Planers",
    addressHint: "Zum Beispiel https://planner.example.org",
    connect: "Verbinden",
    connectNamed: (name) => `${name} verbinden`,
    connected: (name) => `Verbunden mit ${name}`,
    import: "Nach neuen Aufgaben suchen",
    importing: "Neue Aufgaben werden gesucht …",
    disconnect: "Trennen",
    disconnectHint: "Wenn du die Verbindung trennst, bleiben importierte Gewohnheiten hier.",
    imported: (count) =>
      count === 0 ? "Nichts Neues" : count === 1 ? "1 neue Aufgabe" : `${count} neue Aufgaben`,
    moreRemain:
      "Der Planer hat so viele gesendet, wie er auf einmal kann; vielleicht fehlen welche. Entferne dort alte.",
    reconnect:
      "Der Planer hat die Verbindung beendet. Verbinde ihn neu; deine Gewohnheiten bleiben.",
    failed: "Der Planer ist nicht erreichbar. Die App versucht es später wieder.",
    denied: "Du hast die Verbindung nicht erlaubt.",
    notConnected: (reason) => `Nicht verbunden (${reason}). Bitte versuche es noch einmal.`,
    originErrors: {
      empty: "Gib die Adresse des Planers ein",
      characters:
        "Entferne Leerzeichen, umgekehrte Schrägstriche und unsichtbare oder ungewöhnliche Zeichen",
      "not-https": "Beginne die Adresse mit https://",
      credentials: "Entferne Benutzername, Passwort und das @ aus der Adresse",
      path: "Entferne alles hinter dem Namen des Servers, zum Beispiel /kalender",
      query: "Entferne das Fragezeichen und was dahinter steht",
      fragment: "Entferne das Rautezeichen und was dahinter steht",
      port: "Entferne den Port: Der Planer muss über den üblichen Port 443 erreichbar sein",
      "not-an-address": "Prüfe die Adresse: Sie sollte aussehen wie https://planner.example.org",
      "local-name": "Gib einen Planer im Internet an, nicht auf diesem Gerät oder im lokalen Netz",
      "private-address": "Gib einen Planer im Internet an, keine Adresse eines privaten Netzes",
      "disguised-host": "Schreib die Adresse ganz aus, zum Beispiel https://planner.example.org",
    },
  },

  update: {
    title: (version) => `Gewohnheiten ${version}`,
    here: (version) => `${version} ist da`,
    mandatory: (version) => `Bitte aktualisiere auf ${version}`,
    withdrawn: (reason) => `Deine Version wurde zurückgezogen: ${reason}`,
    whatsNew: "Was ist neu?",
    download: (size) => `Herunterladen (${size})`,
    signed:
      "Der Hersteller hat diese Ankündigung signiert, und dieses Gerät hat die Signatur geprüft.",
    digest: "SHA-256 der Datei",
    version: "Version",
    running: (version) => `Version ${version}`,
    upToDate: "Das ist die neueste Version.",
    noArtifact: (version) => `${version} ist erschienen, aber nicht für dieses System.`,
    cannotConfirm:
      "Die App kann nicht bestätigen, dass sie aktuell ist. Sie installiert nichts, was nicht signiert ist.",
    refused: "Ein Update wurde abgelehnt: Es ist nicht vom Hersteller dieser App signiert.",
    checking: "Wird geprüft …",
    check: "Nach Updates suchen",
    notes: { added: "Neu", changed: "Geändert", fixed: "Behoben", security: "Sicherheit" },
    gone: "Im Moment gibt es keine neuere Version.",
  },

  files: {
    title: "Deine Daten",
    text: "Alle Gewohnheiten mit ihren Tagen als Datei: JSON zum Aufheben und Zurückholen, CSV für eine Tabelle. Aufgaben aus einem Planer sind nicht dabei.",
    fileName: "gewohnheiten",
    exportJson: "Als JSON speichern",
    exportCsv: "Als CSV speichern",
    import: "Importieren",
    importTitle: "Importieren",
    importText:
      "Wähle eine Datei, die diese App gespeichert hat, oder eine CSV-Datei mit mindestens den Spalten habit und date. Du siehst, was dazukommt, bevor etwas gespeichert wird; was du hast, bleibt, wie es ist.",
    choose: "Datei",
    preview: (file) => `Das kommt aus ${file} dazu`,
    noHabits: "Keine neuen Gewohnheiten",
    newHabits: (count, names) => `${habits(count)}: ${names}`,
    newDays: (count) => (count === 0 ? "Keine neuen Tage" : days(count)),
    known: (habitCount, dayCount) =>
      `Schon hier, und bleibt so: ${habits(habitCount)}, ${days(dayCount)}`,
    importNow: "Jetzt importieren",
    importing: "Wird importiert …",
    imported: (habitCount, dayCount) => `Importiert: ${habits(habitCount)}, ${days(dayCount)}`,
    stopped: (message) =>
      `Der Import hat angehalten: ${message} Was fehlt, kommt, wenn du die Datei noch einmal importierst.`,
    nothingChanged: "Es wurde nichts geändert.",
    errors: {
      "too-large": () => "Die Datei ist größer als 10 MB.",
      "not-readable": () => "Die Datei ist beschädigt, oder sie ist weder JSON noch CSV in UTF-8.",
      "other-format": () => "Die Datei ist JSON, aber nicht von dieser App.",
      "newer-version": () =>
        "Eine neuere Version der App hat die Datei gespeichert. Aktualisiere zuerst die App.",
      "no-columns": () => "Die erste Zeile muss die Spalten habit und date haben.",
      "wrong-value": (where) =>
        `In der Datei steht ein Wert, der nicht stimmen kann (${/^\d+$/.test(where) ? `Zeile ${where}` : where}).`,
      "too-many": () => "Die Datei hat mehr als 1.000 Gewohnheiten oder 100.000 Tage.",
      empty: () => "In der Datei sind keine Gewohnheiten.",
    },
  },

  shortcuts: {
    title: "Tastenkürzel",
    areOn: "Einzelne Tasten sind an",
    keys: {
      n: "Neue Gewohnheit",
      t: "Heute",
      j: "Nächste Gewohnheit",
      k: "Vorige Gewohnheit",
      x: "Gewohnheit abhaken",
      s: "Die Gewohnheit heute auslassen oder wieder zählen",
      o: "Reihenfolge ändern",
      a: "Archiv",
      ",": "Einstellungen",
      Esc: "Zurück zu heute",
      "?": "Diese Liste",
    },
  },

  settings: {
    title: "Einstellungen",
    looks: "Aussehen",
    language: "Sprache",
    theme: "Farben",
    themes: { system: "Wie das Gerät", light: "Hell", dark: "Dunkel" },
  },
};
