import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFileError } from "../catalog-file-error.ts";
import { validateSite, type PictureContent } from "./validate-site.ts";

/** A header is enough to know a picture. */
function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from("89504e470d0a1a0a0000000d49484452".padEnd(66, "0"), "hex");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new Uint8Array(bytes);
}

const FILES: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "logo.svg": new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  "today.png": png(1600, 1000),
  "today.jpg": png(1600, 1000),
  "huge.png": png(12_000, 100),
  "notes.png": new TextEncoder().encode("no picture"),
};

function readPicture(name: string): PictureContent {
  const bytes = FILES[name];
  return bytes === undefined
    ? { kind: "unusable", problem: "is missing", remedy: "put it there" }
    : { kind: "bytes", bytes };
}

function validate(members: object) {
  return validateSite({ schemaVersion: 1, name: "Habits", ...members }, readPicture);
}

function messagesOf(members: object): string[] {
  const result = validate(members);
  return result.kind === "invalid" ? result.errors.map(formatFileError) : [];
}

const both = (text: string) => ({ en: text, de: text });

test("a name is enough", () => {
  const result = validate({});
  assert.equal(result.kind, "valid");
  assert.equal(result.site.palette, null);
});

test("a full file is accepted, with its pictures and colours", () => {
  const result = validate({
    tagline: both("Good days"),
    description: both("An app"),
    logo: "logo.svg",
    accent: "#7a1f5c",
    screenshots: [{ file: "today.png", alt: both("Today"), caption: both("Today") }],
    stores: [{ platform: "ios", name: "App Store", url: "https://apps.apple.com/app/id1" }],
    links: [{ label: both("Imprint"), url: "https://habits.example.com/imprint" }],
  });
  assert.equal(result.kind, "valid");
  assert.deepEqual(result.site.pictures.get("today.png")?.size, { width: 1600, height: 1000 });
  assert.equal(result.site.pictures.get("logo.svg")?.mediaType, "image/svg+xml");
  assert.equal(result.site.palette?.light.accent, "#7a1f5c");
});

test("a colour that cannot be read says by how much, where, and what to use", () => {
  assert.deepEqual(messagesOf({ accent: "#ffcc00" }), [
    'site.json: accent "#ffcc00" has a contrast of 1.4:1 on the light page (#faf9f5), and text needs 4.5:1; use a darker colour such as "#8a6e00"',
  ]);
  assert.deepEqual(messagesOf({ accent: "#1b6748", accentDark: "#1b6748" }), [
    'site.json: accentDark "#1b6748" has a contrast of 2.4:1 on the dark page (#1a1f1c), and text needs 4.5:1; use a lighter colour such as "#5b927b"',
  ]);
  assert.match(
    messagesOf({ accentDark: "#86d6ac" })[0] ?? "",
    /accentDark is without an accent; add/,
  );
});

test("a picture that cannot be shown is named with the reason", () => {
  const logo = (name: string) => messagesOf({ logo: name })[0] ?? "";
  assert.match(logo("none.png"), /logo "site\/none\.png" is missing; put it there/);
  assert.match(logo("notes.png"), /"site\/notes\.png" is not a picture; export it again/);
  assert.match(logo("today.jpg"), /"site\/today\.jpg" is a PNG picture; rename it .* \.png/);
  assert.match(logo("huge.png"), /has 12000 × 100 pixels; scale it down to at most 4096/);
});

test("only names of files in the folder are accepted, and no drawing as a screenshot", () => {
  for (const name of [
    "../keys.pem",
    "a/b.png",
    "/etc/passwd",
    ".hidden.png",
    "https://cdn.example/a.png",
    "logo.gif",
    "a\\b.png",
  ]) {
    assert.match(
      messagesOf({ logo: name })[0] ?? "",
      /logo must be the name of a file in the folder "site"/,
    );
  }
  const [message = ""] = messagesOf({ screenshots: [{ file: "logo.svg", alt: both("Today") }] });
  assert.match(message, /screenshots\[0\]\.file must be the name of a file/);
});

test("unknown members, missing texts and odd addresses are named", () => {
  assert.match(
    messagesOf({ colour: "#fff" })[0] ?? "",
    /colour is not known here; known are schema/,
  );
  assert.match(
    messagesOf({ tagline: { en: "Hi" } })[0] ?? "",
    /tagline\.de is missing; expected text of 1 to 120/,
  );
  assert.match(messagesOf({ name: "  " })[0] ?? "", /name must be text of 1 to 60 characters/);
  const url = "https://user:secret@store.example/";
  const [message = ""] = messagesOf({ stores: [{ platform: "ios", name: "Store", url }] });
  assert.match(message, /stores\[0\]\.url .* has no plain host name/);
});
