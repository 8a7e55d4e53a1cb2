import {
  changeResponse,
  isOk,
  isPath,
  withCode,
  withHeader,
  type ReleaseBreak,
  toBreaks,
} from "./break.ts";
import { APPCAST, edit, ELECTRON, TAURI_FILE } from "./release-feeds.ts";
import { editPayload, isManifest } from "./release-manifest.ts";

const FILES = /^\/feeds\/files\//;
const OTHER = `${"A".repeat(86)}==`;

export const BREAKS_OF_FILES = toBreaks<ReleaseBreak>({
  "manifest-signs-the-served-files": {
    "lists another SHA-512 than was signed": edit(
      FILES,
      /"sha512":"[^"]*"/g,
      `"sha512":"${OTHER}"`,
    ),
    "lists another file name than was signed": edit(
      FILES,
      /"fileName":"habits/g,
      '"fileName":"habit',
    ),
    "writes the signed list anew": edit(FILES, /","/g, '", "'),
    "has no list of the signed files": changeResponse(isPath(FILES), (response) =>
      withCode(response, 404, "not_found"),
    ),
    "lets caches forget the signed files after minutes": changeResponse(isOk(FILES), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
    "lists another version of the app than was signed": edit(
      FILES,
      /"appVersion":"1\.5\.0-beta\.3"/g,
      '"appVersion":"1.5.0-beta.4"',
    ),
  },
  "manifest-files-name-published-releases": {
    "signs the files of a release that is not published": changeResponse(isManifest, (response) =>
      editPayload(response, ({ files = [], withdrawn }) => {
        const [entry] = files;
        if (entry !== undefined) entry.version = withdrawn[0]?.version ?? "0.0.1";
      }),
    ),
    "signs the files of a release twice": changeResponse(isManifest, (response) =>
      editPayload(response, ({ files = [] }) => {
        const [entry] = files;
        if (entry !== undefined) files.push(entry);
      }),
    ),
  },
  "feeds-have-the-signed-files": {
    "calls a beta by another version than was signed": edit(
      ELECTRON,
      /version: "1\.5\.0-beta\.3"/g,
      'version: "1.5.0-beta.4"',
    ),
    "gives electron-updater another SHA-512 than was signed": edit(
      ELECTRON,
      /sha512: "[^"]*"/g,
      `sha512: "${OTHER}"`,
    ),
    "gives Tauri another signature than was signed": edit(
      TAURI_FILE,
      /"signature":"/g,
      '"signature":"A',
    ),
    "gives Sparkle another signature than was signed": edit(
      APPCAST,
      /sparkle:edSignature="[^"]*"/g,
      `sparkle:edSignature="${OTHER}"`,
    ),
  },
});
