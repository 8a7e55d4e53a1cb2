/** Words that several pages of a signed-in person use. */
const en = {
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
};

const de: typeof en = {
  signedInAs: "Angemeldet als",
  signOut: "Abmelden",
  error: "Fehler",
  save: "Speichern",
  cancel: "Abbrechen",
  edit: "Bearbeiten",
  untitled: "Ohne Titel",
  lastUsed: "Zuletzt genutzt",
  never: "noch nie",
};

export const ACCOUNT_TEXTS = { en, de };
