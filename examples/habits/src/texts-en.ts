import { ORIGIN_ERRORS, type SyncClientError } from "trellis/client";
import { encryptionEn } from "./encryption-texts-en.ts";
import type { ReadError } from "./backup.ts";
import type { HabitFields } from "./habit.ts";
import type { StartErrorKind } from "./start-error.ts";
import type { ShortcutKey } from "./shortcut-keys.ts";

type Suggestion = Pick<HabitFields, "name" | "icon" | "tone" | "category" | "targetCount">;

const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);
const habits = (count: number) => (count === 1 ? "1 habit" : `${count} habits`);
const changes = (count: number) => (count === 1 ? "1 change" : `${count} changes`);

/** `where` is a line, or a path in JSON. */
const FILE_ERRORS: Readonly<Record<ReadError, (where: string) => string>> = {
  "too-large": () => "The file is larger than 10 MB.",
  "not-readable": () => "The file is damaged, or it is neither JSON nor CSV in UTF-8.",
  "other-format": () => "The file is JSON, but not of this app.",
  "newer-version": () => "A newer version of this app has saved the file. Update the app first.",
  "no-columns": () => "The first line must have the columns habit and date.",
  "wrong-value": (where) =>
    `The file has a value that cannot be right (${/^\d+$/.test(where) ? `line ${where}` : where}).`,
  "too-many": () => "The file has more than 1,000 habits or 100,000 days.",
  empty: () => "There are no habits in the file.",
};

export const en = {
  appName: "Habits",
  cannotStart: "The app cannot start",
  startErrors: {
    unreachable:
      "The app’s server cannot be reached. Check your connection, then load the page again.",
    "no-config": "The app’s server has no settings for it. Please tell the person who runs it.",
    "webcrypto-missing":
      "The app needs encryption, which browsers switch off on pages without HTTPS. Open it at an address that begins with https://.",
    "storage-missing":
      "This browser has no IndexedDB, where the app keeps your habits. Update the browser, or use another one.",
    "storage-denied":
      "The browser does not let this app store anything. Allow site data and cookies for this address, or leave the private window. Then load the page again.",
    "storage-failed":
      "The browser cannot open its storage. Free some space on this device, restart the browser, then load the page again.",
    unexpected:
      "Load the page again. If that does not help, tell the maker of the app what it says below.",
  } satisfies Record<StartErrorKind, string>,
  notLoaded:
    "This part of the app could not be loaded. Check the connection, then load the app again.",
  reload: "Load again",
  skip: "Skip to content",
  back: "Back",
  close: "Close",
  undo: "Undo",
  save: "Save",
  cancel: "Cancel",
  notSaved: (message: string) => `Not saved: ${message}`,

  today: {
    title: "Today",
    progress: (done: number, total: number) => `${done} of ${total} done`,
    allDone: "All done for today",
    otherDays: "Not planned for today",
    damaged: (count: number) =>
      count === 1 ? "One item cannot be shown" : `${count} items cannot be shown`,
    damagedText:
      "Another app stored them in a form that this app does not know, or they are damaged. A newer version of this app may be able to show them.",
    damagedDeleted: (count: number) => (count === 1 ? "Item deleted" : `${count} items deleted`),
    add: "New habit",
    settings: "Settings",
    archive: "Archive",
    emptyTitle: "Start with one small thing",
    emptyText: "A habit that takes a minute is a habit you keep. Pick one, or make your own.",
    suggestions: [
      { name: "Drink water", icon: "drop", tone: "teal", category: "Health", targetCount: 6 },
      { name: "Read ten pages", icon: "book", tone: "violet", category: "Mind", targetCount: 1 },
      { name: "Take a walk", icon: "walk", tone: "green", category: "Health", targetCount: 1 },
    ] satisfies Suggestion[],
    addSuggestion: (name: string) => `Add “${name}”`,
    fetchingTitle: "Fetching your habits",
    fetchingText:
      "This device has just been added. What your account has will be here in a moment.",
    fetchingOffline:
      "There is no connection yet. What your account has comes as soon as there is one; you can add a habit now.",
    categories: "Categories",
    allCategories: "All",
    group: "In groups",
    order: "Change the order",
    alreadyElsewhere: "Already use Habits on another device?",
  },

  habit: {
    markDone: (name: string) => `${name}: done`,
    countUp: (name: string, count: number, target: number) =>
      `${name}: ${count}/${target}, add one`,
    lastDays: (done: number) => `Done on ${done} of the last 7 days`,
    thisWeek: (done: number, target: number) => `${done} of ${target} this week`,
    due: (day: string) => `Due ${day}`,
    overdue: (day: string) => `Was due ${day}`,
    from: (service: string) => `From ${service}`,
    isSkipped: "Does not count today",
    skipped: (name: string) => `${name}: the day does not count`,
    counts: (name: string) => `${name}: the day counts`,
    cleared: (name: string) => `${name} is open again`,
  },

  history: {
    edit: "Edit",
    archive: "Archive",
    archived: (name: string) => `“${name}” is archived`,
    streak: "Streak",
    streakDays: days,
    streakWeeks: (count: number) => (count === 1 ? "1 week" : `${count} weeks`),
    rate: (days: number) => `Last ${days} days`,
    ofDue: (percent: string, done: number, due: number) => `${percent}, ${done} of ${due}`,
    skip: "Today does not count",
    count: "Today counts",
    skipped: "does not count",
    tapMarks: "A tap on a day marks it as",
    total: "Total",
    previous: "Previous month",
    next: "Next month",
    previousYear: "Previous year",
    nextYear: "Next year",
    done: "done",
    partly: (count: number, target: number) => `${count} of ${target}`,
    open: "not done",
    frequency: {
      daily: (count: number) => (count === 1 ? "Every day" : `${count} times a day`),
      weekly: (count: number) => (count === 1 ? "Once a week" : `${count} times a week`),
      custom: (dayNames: string) => dayNames,
    },
    gone: "This habit is no longer here. It may have been deleted on another device.",
    damaged: "This habit is stored in a form that this app does not know, so it cannot be shown.",
    today: (count: number, target: number) => `Today: ${count} of ${target}`,
    less: "One less today",
    more: "One more today",
  },

  form: {
    newTitle: "New habit",
    editTitle: "Edit habit",
    name: "Name",
    nameMissing: "Give the habit a name",
    namePlaceholder: "For example, stretch for five minutes",
    note: "Note",
    optional: "optional",
    category: "Category",
    defaultCategory: "General",
    icon: "Icon",
    tone: "Colour",
    icons: {
      drop: "Drop",
      book: "Book",
      walk: "Walk",
      leaf: "Leaf",
      moon: "Moon",
      heart: "Heart",
      music: "Music",
      star: "Star",
      sun: "Sun",
      cup: "Cup",
      home: "Home",
      bell: "Bell",
    },
    tones: {
      green: "Green",
      teal: "Teal",
      blue: "Blue",
      violet: "Violet",
      rose: "Rose",
      amber: "Amber",
    },
    howOften: "How often",
    frequency: { daily: "Every day", custom: "On certain days", weekly: "A few times a week" },
    days: "Days",
    daysMissing: "Choose at least one day",
    timesADay: "Times a day",
    timesAWeek: "Days a week",
    less: "Less",
    more: "More",
    create: "Add habit",
  },

  order: {
    title: "Order",
    hint: "Drag a habit by its handle, or use the arrows. The order is the same on all your devices.",
    up: (name: string) => `Move “${name}” up`,
    down: (name: string) => `Move “${name}” down`,
    moved: (name: string, place: number, total: number) => `${name}: place ${place} of ${total}`,
  },

  archive: {
    title: "Archive",
    empty: "Nothing is archived. A habit you archive keeps its history and waits here.",
    restore: "Restore",
    restored: (name: string) => `“${name}” is back`,
    delete: "Delete",
    deleteHabit: (name: string) => `Delete “${name}” and its history`,
    restoreHabit: (name: string) => `Restore “${name}”`,
    deleted: (name: string) => `“${name}” and its history are deleted`,
    keepsImported: "Stays here, so that it is not imported again",
  },

  status: {
    "signed-out": "On this device only",
    "up-to-date": "Synced",
    syncing: "Syncing",
    offline: "Offline",
    waiting: "Waiting",
    "sign-in-needed": "Sign in again",
    "key-needed": "Key needed",
    blocked: "Sync has stopped",
    "storage-lost": "Sign in to get your habits back",
    pending: (count: number) => `${changes(count)} to send`,
    offlinePending: (count: number) => `Offline · ${count} to send`,
    quarantined: (count: number) => `${changes(count)} refused`,
    open: (state: string) => `Sync: ${state}. Open settings`,
  },

  sync: {
    title: "Sync",
    explain: {
      "signed-out": "Sign in to have your habits on all your devices, including what you did here.",
      "up-to-date": "Everything is on your server, ready for your other devices.",
      syncing: "Your changes are being exchanged.",
      offline:
        "No connection. Carry on as usual: your changes are kept here and sent as soon as there is one.",
      waiting: "Some changes still have to be exchanged. The app will try again by itself.",
      "sign-in-needed":
        "This device has been signed out. Nothing is lost: sign in again and everything is sent.",
      "key-needed":
        "Your habits are encrypted, and this device does not have the key yet. Nothing is sent or received, and what you do here is kept.",
      "needs-attention":
        "The server refused some of your changes. You see them here; your other devices do not.",
      blocked: "The app cannot sync until this is solved:",
      "storage-lost":
        "The browser removed this app’s data. Sign in, and everything that was sent comes back.",
    },
    needsConnection:
      "This browser does not store the app itself, so the app opens only with a connection. Your habits are stored here all the same.",
    pending: (count: number) => `${changes(count)} not sent yet`,
    lastSynced: (when: string) => `Last synced ${when}`,
    device: "This device",
    now: "Sync now",
    signIn: "Sign in",
    signOut: "Sign out",
    signOutHint: "If you sign out, your habits stay on this device.",
    signedOut: "Signed out. Your habits are still here.",
    signedIn: "Signed in. You can close this window.",
    signInFailed: "Signing in did not work",
    backToApp: "Back to the app",
    cardTitle: "Only on this device",
    cardText: "Sign in to see your habits on your other devices too.",
    neededTitle: "Please sign in again",
    problems: {
      unreachable: "The server cannot be reached.",
      timeout: "The server took too long to respond.",
      "rate-limited": "The server asks this device to wait a little.",
      "server-error": "The server has a problem.",
      "request-refused": "The server refuses this app. Check the address, or update the app.",
      "quota-exceeded":
        "This account’s storage is full. Your changes stay on this device. Ask the person who runs the server for more.",
      "not-a-sync-server":
        "Something other than the server responded, such as the login page of a Wi-Fi network.",
      "unreadable-page": "The server sent something that this version cannot read. Update the app.",
      "unstable-log": "The server is being repaired. The app tries again by itself.",
      "endless-log": "The server keeps sending the same data. Please tell the person who runs it.",
      "long-log": "The server has a lot to send. The app continues by itself.",
      "exhausted-log":
        "The server sent a change that would prevent all later ones, so the app ignored it. Please tell the person who runs it.",
      "profile-mismatch":
        "The server is set up for another kind of app. Its operator must choose the profile habits.",
      "storage-lost": "The data of this app was removed from this device. Sign in again.",
      "storage-failed": "This device cannot store any more. Free some space, then restart the app.",
      "key-needed": "This device does not have the key to your data. Enter the recovery key.",
      "keys-disagree":
        "The server has other keys than this device. Nothing was exchanged: check the address and the account.",
      "data-in-the-clear":
        "This device has data that was synced without encryption, and it stays here. Use its old server, or another profile of the browser for this one.",
      "signed-out": "This device is signed out.",
      "sign-in-needed": "The session of this device has ended.",
      closed: "The app is closing.",
    } satisfies Record<SyncClientError["kind"], string>,
    signInProblems: {
      "unknown-attempt": "This sign-in has expired or was started elsewhere. Please start again.",
      "redirect-not-listed":
        "The server does not know this app. Its operator must list the address of the app as a redirect URI.",
      "cors-missing":
        "The server refuses this page. Its operator must list the address of the app as a CORS origin.",
      "missing-code": "The sign-in page returned nothing. Please start again.",
      "code-refused": "The sign-in took too long. Please start again.",
      "too-many-devices":
        "This account has as many devices as the server allows. Sign one out on the server’s page, then start again.",
      "not-the-callback": "This address belongs to another app. Please start again.",
      "another-server":
        "This device belongs to another server. Sign out and erase it before you use this one.",
    },
    refusedTitle: "Refused by the server",
    refusedText:
      "These changes are on this device only. Try again after an update, or discard them.",
    refusedAgain: (reason: string) => `The server refused it again (${reason})`,
    retried: {
      accepted: "The server accepted it",
      stored: "It will be sent when there is a connection",
    },
    retry: "Try again",
    discard: "Discard",
    discarded: "The change is discarded",
    refusedTick: (day: string) => `Tick of ${day}`,
    unknownHabit: "A deleted habit",
  },

  encryption: encryptionEn,

  planner: {
    title: "Planner",
    intro: "Connect a planner, and tasks that are due there appear here as habits.",
    introNamed: (name: string) =>
      `Connect ${name}, and tasks that are due there appear here as habits.`,
    address: "Address of the planner",
    addressHint: "For example, https://planner.example.org",
    connect: "Connect",
    connectNamed: (name: string) => `Connect ${name}`,
    connected: (name: string) => `Connected to ${name}`,
    import: "Look for new tasks",
    importing: "Looking for new tasks…",
    disconnect: "Disconnect",
    disconnectHint: "If you disconnect, imported habits stay here.",
    imported: (count: number) =>
      count === 0 ? "Nothing new" : count === 1 ? "1 new task" : `${count} new tasks`,
    moreRemain:
      "The planner sent as many as it can at once, so some may be missing. Remove old ones there.",
    reconnect: "The planner ended the connection. Connect again; your habits stay here.",
    failed: "The planner cannot be reached. The app tries again later.",
    denied: "You did not allow the connection.",
    notConnected: (reason: string) => `Not connected (${reason}). Please try again.`,
    originErrors: ORIGIN_ERRORS,
  },

  update: {
    title: (version: string) => `Habits ${version}`,
    here: (version: string) => `${version} is here`,
    mandatory: (version: string) => `Please update to ${version}`,
    withdrawn: (reason: string) => `Your version was withdrawn: ${reason}`,
    whatsNew: "What’s new",
    download: (size: string) => `Download (${size})`,
    signed: "The maker signed this announcement, and this device checked the signature.",
    digest: "SHA-256 of the file",
    version: "Version",
    running: (version: string) => `Version ${version}`,
    upToDate: "This is the newest version.",
    noArtifact: (version: string) => `${version} is out, but not for this system.`,
    cannotConfirm:
      "The app cannot confirm that it is up to date. It installs nothing that is not signed.",
    refused: "An update was refused: it is not signed by the maker of this app.",
    checking: "Checking…",
    check: "Check for updates",
    notes: { added: "New", changed: "Changed", fixed: "Fixed", security: "Security" },
    gone: "There is no newer version at the moment.",
  },

  files: {
    title: "Your data",
    text: "All habits with their days as a file: JSON to keep or to bring back, CSV for a spreadsheet. Tasks of a planner are not in it.",
    fileName: "habits",
    exportJson: "Save as JSON",
    exportCsv: "Save as CSV",
    import: "Import",
    importTitle: "Import",
    importText:
      "Choose a file that this app has saved, or a CSV file with at least the columns habit and date. You see what it would add before anything is stored; nothing that you have is changed.",
    choose: "File",
    preview: (file: string) => `What ${file} adds`,
    noHabits: "No new habits",
    newHabits: (count: number, names: string) => `${habits(count)}: ${names}`,
    newDays: (count: number) => (count === 0 ? "No new days" : days(count)),
    known: (habitCount: number, dayCount: number) =>
      `Already here, and left as they are: ${habits(habitCount)}, ${days(dayCount)}`,
    importNow: "Import now",
    importing: "Importing…",
    imported: (habitCount: number, dayCount: number) =>
      `Imported: ${habits(habitCount)}, ${days(dayCount)}`,
    stopped: (message: string) =>
      `The import has stopped: ${message} What is missing comes when you import the file again.`,
    nothingChanged: "Nothing was changed.",
    errors: FILE_ERRORS,
  },

  shortcuts: {
    title: "Keyboard shortcuts",
    areOn: "Single keys are on",
    keys: {
      n: "New habit",
      t: "Today",
      j: "Next habit",
      k: "Previous habit",
      x: "Tick the habit",
      s: "Skip the habit today, or count the day again",
      o: "Change the order",
      a: "Archive",
      ",": "Settings",
      Esc: "Back to today",
      "?": "This list",
    } satisfies Record<ShortcutKey, string>,
  },

  settings: {
    title: "Settings",
    looks: "Appearance",
    language: "Language",
    theme: "Colours",
    themes: { system: "Same as device", light: "Light", dark: "Dark" },
  },
};

export type Texts = typeof en;
