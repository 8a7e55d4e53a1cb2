/** The words of the page of connected apps. */
import type { Language } from "../../language.ts";

export interface AppsTexts {
  readonly title: string;
  readonly lead: string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly connected: string;
  readonly lastUsed: string;
  readonly neverUsed: string;
  readonly ends: string;
  readonly reads: string;
  readonly disconnect: string;
  readonly disconnectQuestion: string;
  readonly disconnectConfirm: string;
  readonly disconnectAll: string;
  readonly disconnectAllQuestion: (count: number) => string;
  readonly disconnectAllConfirm: string;
  readonly revoked: string;
}

export const APPS_TEXTS: Readonly<Record<Language, AppsTexts>> = {
  en: {
    title: "Connected apps",
    lead: "These apps may read your events. What an app has imported stays in the app when you disconnect it.",
    empty: "No app is connected yet.",
    emptyHint:
      "Open the app you want to use, enter the address of this service there, and start connecting. You are then asked here whether you allow it.",
    connected: "Connected",
    lastUsed: "Last used",
    neverUsed: "not yet",
    ends: "Ends without use",
    reads: "Reads your events",
    disconnect: "Disconnect",
    disconnectQuestion:
      "It can then no longer read your events. You can connect it again at any time.",
    disconnectConfirm: "Yes, disconnect",
    disconnectAll: "Disconnect all",
    disconnectAllQuestion: (count) =>
      `None of the ${count} apps can then read your events any more.`,
    disconnectAllConfirm: "Yes, disconnect all",
    revoked: "Disconnected. Your events can no longer be read with it.",
  },
  de: {
    title: "Verbundene Apps",
    lead: "Diese Apps dürfen deine Termine lesen. Was eine App übernommen hat, bleibt in ihr, auch wenn du sie trennst.",
    empty: "Noch ist keine App verbunden.",
    emptyHint:
      "Öffne die App, die du nutzen möchtest, trage dort die Adresse dieses Dienstes ein und beginne die Verbindung. Dann wirst du hier gefragt, ob du es erlaubst.",
    connected: "Verbunden",
    lastUsed: "Zuletzt benutzt",
    neverUsed: "noch nie",
    ends: "Endet unbenutzt",
    reads: "Liest deine Termine",
    disconnect: "Trennen",
    disconnectQuestion:
      "Sie kann deine Termine dann nicht mehr lesen. Du kannst sie jederzeit wieder verbinden.",
    disconnectConfirm: "Ja, trennen",
    disconnectAll: "Alle trennen",
    disconnectAllQuestion: (count) => `Dann kann keine der ${count} Apps deine Termine noch lesen.`,
    disconnectAllConfirm: "Ja, alle trennen",
    revoked: "Getrennt. Damit können deine Termine nicht mehr gelesen werden.",
  },
};
