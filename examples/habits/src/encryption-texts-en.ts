/** The words of end-to-end encryption: for people who have never heard of it. */
import type { UnreadableReason } from "trellis/client";
import type { KeyError } from "./encryption.ts";

export const encryptionEn = {
  title: "Encryption",
  on: "Your server cannot read your habits",
  onText:
    "They are encrypted on this device before they are sent. Only your devices have the key that opens them.",
  clear: "Your server stores your habits unencrypted: its operator can read them.",
  needed: "This device needs your key",

  neededTitle: "Your key",
  intro:
    "Your habits are encrypted before they leave this device. Your server stores them, but only devices with your key can read them.",
  asking: "The app asks your server whether your account has a key already…",
  firstTitle: "Your account has no key yet",
  firstText:
    "The app makes a key and shows it to you as your recovery key, to print or to save. You need it on every other device that you add. If another device has your habits already, open the app there first.",
  make: "Make a key",
  making: "Making a key…",
  otherTitle: "Another of your devices has the key",
  otherText: "On that device, open Settings and choose “Show the recovery key”.",
  replacedTitle: "Your key was replaced",
  replacedText: (deviceId: string, moment: string) =>
    `The device ${deviceId} made a new key (${moment}). Enter the new recovery key to go on. What you have done here since then is kept. If that was none of your devices, change your password and sign all devices out.`,
  disagreesText:
    "The server has other keys than this device, and your earlier key does not confirm them. Nothing is sent, and nothing is lost. If you have made a new key since, enter its recovery key.",
  notPassword: "The key is not the password that you sign in with.",
  field: "Recovery key",
  fieldHint: "14 groups of 4 characters. Capitals, spaces and dashes do not matter.",
  enter: "Use this key",
  entering: "Checking the key…",
  scan: "Scan the QR code",
  cannotScan: "This browser cannot scan QR codes, so please type or paste the key.",
  scanning: "Hold the QR code in front of the camera",
  stopScan: "Stop the camera",
  noCamera: "The camera cannot be used. Please type or paste the key.",
  unlocked: "This device can read your habits now",
  unlockedUnchecked: "The key is kept here. It is checked as soon as there is a connection.",
  keyErrors: {
    "typing-error":
      "That is not a recovery key: a character is wrong or missing. Compare it with the original.",
    "other-key": "That is a recovery key, but not the one for this account.",
    "other-account":
      "That key belongs to another account than the habits on this device. Nothing was changed.",
    replaced: "That key was replaced by a newer one. Enter the newest recovery key.",
    "key-exists":
      "Another of your devices has made a key already. Enter its recovery key here. Nothing is lost.",
    "not-empty":
      "This account has data already, so no key can be made here. Open the app first on the device that has it.",
    "sign-in-first": "Sign in first. The key belongs to an account.",
    offline: "The server cannot be reached. Try again when there is a connection.",
    "key-needed": "This device needs your current key first.",
  } satisfies Record<Exclude<KeyError["reason"], "failed">, string>,

  keyTitle: "Your recovery key",
  keyFacts: [
    "It unlocks your habits on another device, or when all your devices are gone.",
    "If you lose it together with all your devices, your habits are lost: neither the maker of this app nor the operator of your server can help.",
    "Anyone who has it and can sign in as you can read everything. Guard it like the key to your home.",
    "It is not the password that you sign in with.",
  ],
  groups: "The recovery key in 14 groups",
  qr: "The recovery key as a QR code",
  qrHint: "Another device can scan this code, so that you need not type.",
  print: "Print",
  save: "Save as a file",
  copy: "Copy",
  copied: "Copied. Paste it into your password manager.",
  notCopied: "The browser does not allow copying here. Please write the key down.",
  fileName: "habits-recovery-key.txt",
  fileTitle: "Habits: recovery key",
  done: "Done",
  next: "I have saved it",
  confirmTitle: "Do you have it?",
  confirmText: "Look at what you printed, saved or wrote down, and type two groups of it.",
  group: (number: number) => `Group ${number}`,
  wrongGroup: (number: number) =>
    `That is not group ${number}. Look at what you saved, or see the key again.`,
  again: "See the key again",
  confirm: "Confirm",
  confirmed: "Good. Keep your recovery key in a safe place.",
  keepTitle: "Save your recovery key",
  keepText: "Without it, the habits of a lost device cannot be restored.",
  keepAction: "See the key",

  show: "Show the recovery key",
  goOn: "Continue",
  facts: "What is protected",
  protected: [
    "The names of your habits, their notes, when you did them: your server stores only what it cannot read, and so do its backups.",
    "The server still sees how many entries you have, when they change, on which device, and roughly how long they are.",
    "On this device, anyone who can use this browser can read your habits and the key.",
  ],

  newKey: "Make a new key",
  newKeyHint: "Make a new key if a device was lost, or if someone else has seen your recovery key.",
  newKeyFacts: [
    "What your devices write from now on is encrypted with the new key. The old one does not open it, and your server takes nothing from a device that has only the old one.",
    "What you wrote before stays as it is: anyone with the lost device or the old recovery key may have read it already, and a new key cannot take that back.",
    "Each of your other devices asks for the new recovery key. The old one no longer works for another device.",
    "If a device was lost, sign it out first, on the page of your server.",
  ],
  newKeyMade: "The new key is in use",

  unreadableTitle: (count: number) =>
    count === 1 ? "One entry cannot be read" : `${count} entries cannot be read`,
  unreadableText:
    "The server sent something that does not pass the check on this device. It is not shown and changes nothing that you have. The app asks for it again.",
  unreadable: {
    damaged: "It was changed after one of your devices had encrypted it.",
    "unknown-key": "It was encrypted with a key that is not yours.",
    "not-sealed": "It is not encrypted, so it does not come from your devices.",
  } satisfies Record<UnreadableReason, string>,
  unreadableEntry: "An entry",
};
