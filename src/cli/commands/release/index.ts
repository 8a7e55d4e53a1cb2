import type { CommandGroup } from "../../command.ts";

export const releaseCommands: CommandGroup = {
  summary: "Publish signed releases of an app",
  commands: {
    init: {
      summary: "Create a catalogue",
      load: async () => (await import("./init.ts")).releaseInitCommand,
    },
    key: {
      summary: "Manage the signing keys",
      commands: {
        new: {
          summary: "Create signing keys",
          load: async () => (await import("./key-new.ts")).keyNewCommand,
        },
        import: {
          summary: "Take over the key of an updater that the app already has",
          load: async () => (await import("./key-import.ts")).keyImportCommand,
        },
        show: {
          summary: "Show the public keys for the app to pin",
          load: async () => (await import("./key-show.ts")).keyShowCommand,
        },
        rotate: {
          summary: "Make the standby key the active key",
          load: async () => (await import("./key-rotate.ts")).keyRotateCommand,
        },
        revoke: {
          summary: "Make apps distrust a stolen key",
          load: async () => (await import("./key-revoke.ts")).keyRevokeCommand,
        },
      },
    },
    new: {
      summary: "Create a draft release",
      load: async () => (await import("./new.ts")).newCommand,
    },
    "add-artifact": {
      summary: "Add an artifact to a draft",
      load: async () => (await import("./add-artifact.ts")).addArtifactCommand,
    },
    "add-media": {
      summary: "Add a picture to a draft",
      load: async () => (await import("./add-media.ts")).addMediaCommand,
    },
    "remove-artifact": {
      summary: "Remove an artifact from a draft",
      load: async () => (await import("./remove-artifact.ts")).removeArtifactCommand,
    },
    notes: {
      summary: "Write the release notes of a draft",
      load: async () => (await import("./notes.ts")).notesCommand,
    },
    discard: {
      summary: "Delete a draft",
      load: async () => (await import("./discard.ts")).discardCommand,
    },
    list: {
      summary: "List all releases",
      load: async () => (await import("./list.ts")).releaseListCommand,
    },
    show: {
      summary: "Show a release",
      load: async () => (await import("./show.ts")).releaseShowCommand,
    },
    check: {
      summary: "Validate the catalogue",
      load: async () => (await import("./check.ts")).checkCommand,
    },
    upload: {
      summary: "Upload the files of a release to S3 or to a folder",
      load: async () => (await import("./upload.ts")).uploadCommand,
    },
    publish: {
      summary: "Publish a draft and sign the manifest",
      load: async () => (await import("./publish.ts")).publishCommand,
    },
    rollout: {
      summary: "Offer the newest release to a share of the installations",
      load: async () => (await import("./rollout.ts")).rolloutCommand,
    },
    sign: {
      summary: "Re-sign the manifest",
      load: async () => (await import("./sign.ts")).signCommand,
    },
    verify: {
      summary: "Verify a signed manifest as an app does",
      load: async () => (await import("./verify.ts")).releaseVerifyCommand,
    },
    withdraw: {
      summary: "Withdraw a published release",
      load: async () => (await import("./withdraw.ts")).withdrawCommand,
    },
    status: {
      summary: "Show catalogue status",
      load: async () => (await import("./status.ts")).releaseStatusCommand,
    },
    decide: {
      summary: "Show the update decision for a client, and why",
      load: async () => (await import("./decide.ts")).decideCommand,
    },
    export: {
      summary: "Export the service's responses as files for a CDN or a web server",
      load: async () => (await import("./export.ts")).releaseExportCommand,
    },
  },
};
