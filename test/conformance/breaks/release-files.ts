import { changeResponse, isOk, isPath, withCode, withHeader, type ReleaseBreak } from "./break.ts";
import { APPCAST, edit, ELECTRON, TAURI_FILE } from "./release-feeds.ts";
import { editPayload, isManifest } from "./release-manifest.ts";

const FILES = /^\/feeds\/files\//;
const OTHER = `${"A".repeat(86)}==`;

export const BREAKS_OF_FILES: readonly ReleaseBreak[] = [
  {
    name: "lists another SHA-512 than was signed",
    caughtBy: ["manifest-signs-the-served-files"],
    respond: edit(FILES, /"sha512":"[^"]*"/g, `"sha512":"${OTHER}"`),
  },
  {
    name: "lists another file name than was signed",
    caughtBy: ["manifest-signs-the-served-files"],
    respond: edit(FILES, /"fileName":"habits/g, '"fileName":"habit'),
  },
  {
    name: "writes the signed list anew",
    caughtBy: ["manifest-signs-the-served-files"],
    respond: edit(FILES, /","/g, '", "'),
  },
  {
    name: "has no list of the signed files",
    caughtBy: ["manifest-signs-the-served-files"],
    respond: changeResponse(isPath(FILES), (response) => withCode(response, 404, "not_found")),
  },
  {
    name: "lets caches forget the signed files after minutes",
    caughtBy: ["manifest-signs-the-served-files"],
    respond: changeResponse(isOk(FILES), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  {
    name: "signs the files of a release that is not published",
    caughtBy: ["manifest-files-name-published-releases"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, ({ files = [], withdrawn }) => {
        const [entry] = files;
        if (entry !== undefined) entry.version = withdrawn[0]?.version ?? "0.0.1";
      }),
    ),
  },
  {
    name: "signs the files of a release twice",
    caughtBy: ["manifest-files-name-published-releases"],
    respond: changeResponse(isManifest, (response) =>
      editPayload(response, ({ files = [] }) => {
        const [entry] = files;
        if (entry !== undefined) files.push(entry);
      }),
    ),
  },
  {
    name: "calls a beta by another version than was signed",
    caughtBy: ["feeds-have-the-signed-files"],
    respond: edit(ELECTRON, /version: "1\.5\.0-beta\.3"/g, 'version: "1.5.0-beta.4"'),
  },
  {
    name: "lists another version of the app than was signed",
    caughtBy: ["manifest-signs-the-served-files"],
    respond: edit(FILES, /"appVersion":"1\.5\.0-beta\.3"/g, '"appVersion":"1.5.0-beta.4"'),
  },
  {
    name: "gives electron-updater another SHA-512 than was signed",
    caughtBy: ["feeds-have-the-signed-files"],
    respond: edit(ELECTRON, /sha512: "[^"]*"/g, `sha512: "${OTHER}"`),
  },
  {
    name: "gives Tauri another signature than was signed",
    caughtBy: ["feeds-have-the-signed-files"],
    respond: edit(TAURI_FILE, /"signature":"/g, '"signature":"A'),
  },
  {
    name: "gives Sparkle another signature than was signed",
    caughtBy: ["feeds-have-the-signed-files"],
    respond: edit(APPCAST, /sparkle:edSignature="[^"]*"/g, `sparkle:edSignature="${OTHER}"`),
  },
];
