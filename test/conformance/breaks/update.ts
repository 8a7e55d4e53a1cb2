import type { UpdateDecision } from "../../../src/contract/release/schemas.ts";
import {
  changeResponse,
  changeRequest,
  editBody,
  isOk,
  queryOf,
  withCode,
  withTarget,
  type ReleaseBreak,
} from "./break.ts";

const editDecision = (edit: (decision: UpdateDecision) => unknown) =>
  changeResponse(isOk(/^\/api\/v1\/update\//), (answer) => editBody<UpdateDecision>(answer, edit));

export const BREAKS_OF_UPDATES: readonly ReleaseBreak[] = [
  {
    name: "names an older target",
    caughtBy: ["update-names-the-latest-release"],
    answer: editDecision(({ target }) => {
      target.buildNumber -= 1;
    }),
  },
  {
    name: "names its own minimum version",
    caughtBy: ["update-names-the-latest-release"],
    answer: editDecision((decision) => {
      decision.minimumSupportedVersion = decision.target.version;
    }),
  },
  {
    name: "counts the client's version up to the safe integers only",
    caughtBy: ["update-echoes-the-client"],
    answer: editDecision(({ current }) => {
      const parts = current.version.split(".").map(Number);
      current.version = parts.map((part) => Math.min(part, Number.MAX_SAFE_INTEGER)).join(".");
    }),
  },
  {
    name: "compares builds only",
    caughtBy: ["update-compares-build-and-version"],
    answer: editDecision((decision) => {
      decision.updateAvailable = decision.target.buildNumber > decision.current.buildNumber;
    }),
  },
  {
    name: "compares versions only",
    caughtBy: ["update-compares-build-and-version"],
    answer: editDecision((decision) => {
      const isSame = decision.target.version === decision.current.version;
      if (isSame || decision.current.version.startsWith("987")) decision.updateAvailable = false;
    }),
  },
  {
    name: "compares versions as text",
    caughtBy: ["versions-are-compared-as-numbers"],
    answer: editDecision((decision) => {
      decision.updateAvailable ||= decision.target.version > decision.current.version;
    }),
  },
  {
    name: "gives the download as an absolute address",
    caughtBy: ["update-points-to-the-download-route"],
    answer: editDecision((decision) => {
      decision.download = `https://releases.example.org${decision.download}`;
    }),
  },
  {
    name: "forgets the channel in the download path",
    caughtBy: ["update-points-to-the-download-route"],
    answer: editDecision((decision) => {
      decision.download = decision.download.replace("?channel=beta", "");
    }),
  },
  {
    name: "never makes an update mandatory",
    caughtBy: ["update-is-mandatory-after-the-deadline"],
    answer: editDecision((decision) => {
      decision.mandatory = false;
    }),
  },
  {
    name: "makes an update mandatory for who already has it",
    caughtBy: ["update-is-mandatory-after-the-deadline"],
    answer: editDecision((decision) => {
      decision.mandatory = true;
    }),
  },
  {
    name: "makes an update mandatory before the deadline",
    caughtBy: ["update-is-optional-before-the-deadline"],
    answer: editDecision((decision) => {
      decision.mandatory = decision.updateAvailable;
    }),
  },
  {
    name: "takes a missing build for the first one",
    caughtBy: ["update-needs-platform-version-and-build"],
    answer: changeRequest((exchange) =>
      exchange.target.includes("/update/") && !exchange.target.includes("build=")
        ? withTarget(exchange, `${exchange.target}&build=1`)
        : exchange,
    ),
  },
  {
    name: "answers a wrong platform of an update like one of a download",
    caughtBy: ["update-needs-platform-version-and-build"],
    answer: changeResponse(
      ({ status }, { target }) => status === 400 && target.includes("/update/amiga"),
      (answer) => withCode(answer, 404, "platform_not_supported"),
    ),
  },
  {
    name: "takes builds beyond the safe integers",
    caughtBy: ["update-build-is-a-canonical-integer"],
    answer: changeRequest((exchange) =>
      withTarget(exchange, exchange.target.replace("9007199254740992", "9007199254740991")),
    ),
  },
  {
    name: "looks at the channel before the coordinate",
    caughtBy: ["update-checks-the-channel-last"],
    answer: changeResponse(
      ({ status }, exchange) => status === 400 && queryOf(exchange).includes("nightly"),
      (answer) => withCode(answer, 400, "invalid_channel"),
    ),
  },
];
