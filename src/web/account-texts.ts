/** Words that several pages of a signed-in person use. */
const en = {
  navigation: "Account",
  signedInAs: "Signed in as",
  signOut: "Sign out",
  /** This word stands in front of the title of a page that shows an error. */
  error: "Error",
  save: "Save",
  cancel: "Cancel",
  edit: "Edit",
  untitled: "Untitled",
  lastUsed: "Last used",
  never: "not yet",
  showMore: (count: number) => `Show ${count} more`,
};

const de: typeof en = {
  navigation: "Konto",
  signedInAs: "Angemeldet als",
  signOut: "Abmelden",
  error: "Fehler",
  save: "Speichern",
  cancel: "Abbrechen",
  edit: "Bearbeiten",
  untitled: "Ohne Titel",
  lastUsed: "Zuletzt genutzt",
  never: "noch nie",
  showMore: (count) => `${count} weitere zeigen`,
};

export const ACCOUNT_TEXTS = { en, de };
