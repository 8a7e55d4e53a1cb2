/** What the driver of an update client reads, and what it prints. The guide shows these tables. */
import Type, { type Static } from "typebox";
import { createChecker } from "../../../src/contract/check.ts";
import { UpdateCoordinate } from "../../../src/contract/release/schemas.ts";
import { DISTRIBUTION_PLATFORMS, RELEASE_CHANNELS } from "../../../src/contract/release/values.ts";
import { PACKAGE_KINDS } from "../../../src/rules/release/package-kinds.ts";
import { choice, CONNECT_TO } from "../../drivers/task-members.ts";

/** One task for a driver of an update client, as the kit passes it. */
export const UpdateTask = Type.Object({
  do: Type.Literal("update", {
    description: "check for an update, and download it if there is one; install nothing",
  }),
  baseUrl: Type.String({ description: "the address of the service, as the app knows it" }),
  connectTo: CONNECT_TO,
  product: Type.String({ description: "the product that the manifest must name" }),
  keys: Type.Record(Type.String(), Type.String(), {
    description: "the pinned keys: public keys in unpadded Base64URL, by key id",
  }),
  channel: choice(RELEASE_CHANNELS, "`stable` or `beta`"),
  platform: choice(DISTRIBUTION_PLATFORMS, "the copy's platform"),
  architecture: Type.String({ description: "its architecture" }),
  package: Type.Union([choice(PACKAGE_KINDS, ""), Type.Null()], {
    description: "what it was installed as, such as `deb`; null: it does not know",
  }),
  current: { ...UpdateCoordinate, description: "its `version` and `buildNumber`" },
  state: Type.Unknown({
    description: "the `state` of the last result of this copy; null the first time",
  }),
});

export const UpdateTaskResult = Type.Object({
  kind: choice(
    [
      "up-to-date",
      "update-available",
      "no-artifact",
      "withdrawn",
      "would-downgrade",
      "cannot-confirm",
    ],
    "what [the protocol](../protocol/release.md#staged-rollouts) calls it, or `cannot-confirm`",
  ),
  version: Type.Optional(Type.String({ description: "of the update" })),
  fileName: Type.Optional(Type.String({ description: "of the file that fits this copy" })),
  mandatory: Type.Optional(Type.Boolean({ description: "whether its deadline has passed" })),
  accepted: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "the SHA-256 of the bytes that would be installed, in hex; null: none",
    }),
  ),
  state: Type.Optional(Type.Unknown({ description: "what the copy remembers; no secret in it" })),
});

export type UpdateTask = Static<typeof UpdateTask>;
export type UpdateTaskResult = Static<typeof UpdateTaskResult>;
export const UPDATE_TASK_RESULT = createChecker(UpdateTaskResult);
