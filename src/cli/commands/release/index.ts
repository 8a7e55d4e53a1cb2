import { entry, type CommandGroup } from "../../command.ts";

const loadKeys = () => import("./keys.ts");
const loadDrafts = () => import("./drafts.ts");
const loadArtifacts = () => import("./artifacts.ts");
const loadShow = () => import("./show.ts");

export const releaseCommands: CommandGroup = {
  summary: "Publish signed releases of an app",
  commands: {
    init: entry("Create a catalogue", () => import("./init.ts")),
    key: {
      summary: "Manage the signing keys",
      commands: {
        new: entry("Create signing keys", () => import("./key-new.ts")),
        import: entry(
          "Import the key of an updater that the app already has",
          () => import("./key-import.ts"),
        ),
        show: entry("Show the public keys for the app to pin", loadKeys, "showKeysCommand"),
        rotate: entry("Make the standby key the active key", loadKeys, "rotateKeysCommand"),
        revoke: entry("Make apps distrust a stolen key", loadKeys, "revokeKeyCommand"),
      },
    },
    new: entry("Create a draft release", loadDrafts, "newDraftCommand"),
    add: entry("Add the files of a build to a draft", () => import("./add.ts")),
    "add-artifact": entry("Add an artifact to a draft", loadArtifacts, "addArtifactCommand"),
    "add-media": entry("Add a picture to a draft", loadDrafts, "addMediaCommand"),
    "remove-artifact": entry(
      "Remove an artifact from a draft",
      loadArtifacts,
      "removeArtifactCommand",
    ),
    notes: entry("Write the release notes of a draft", loadDrafts, "notesCommand"),
    discard: entry("Delete a draft", loadDrafts, "discardDraftCommand"),
    list: entry("List all releases", loadShow, "listReleasesCommand"),
    show: entry("Show a release", loadShow, "showReleaseCommand"),
    check: entry("Validate the catalogue", () => import("./check.ts")),
    upload: entry(
      "Upload the files of a release to S3 or to a folder",
      () => import("./upload.ts"),
    ),
    publish: entry("Publish a draft and sign the manifest", () => import("./publish.ts")),
    rollout: entry(
      "Offer the newest release to a share of the installations",
      () => import("./rollout.ts"),
    ),
    sign: entry("Re-sign the manifest", () => import("./sign.ts")),
    verify: entry("Verify a signed manifest as an app does", () => import("./verify.ts")),
    withdraw: entry("Withdraw a published release", () => import("./withdraw.ts")),
    status: entry("Show catalogue status", () => import("./status.ts")),
    decide: entry("Show the update decision for a client, and why", () => import("./decide.ts")),
    export: entry(
      "Export the service's responses as files for a CDN or a web server",
      () => import("./export.ts"),
    ),
  },
};
