import type { UpdateDecision } from "../../../src/contract/release/schemas.ts";
import {
  changeQuery,
  changeRequest,
  changeResponse,
  editBody,
  isOk,
  queryOf,
  queryValue,
  withCode,
  withTarget,
  type ReleaseBreak,
} from "./break.ts";

const editDecision = (edit: (decision: UpdateDecision) => unknown) =>
  changeResponse(isOk(/^\/api\/v1\/update\//), (response) =>
    editBody<UpdateDecision>(response, edit),
  );

export const BREAKS_OF_UPDATES: readonly ReleaseBreak[] = [
  {
    name: "names an older target",
    caughtBy: ["update-names-the-latest-release"],
    respond: editDecision(({ target }) => {
      target.buildNumber -= 1;
    }),
  },
  {
    name: "names its own minimum version",
    caughtBy: ["update-names-the-latest-release"],
    respond: editDecision((decision) => {
      decision.minimumSupportedVersion = decision.target.version;
    }),
  },
  {
    name: "counts the client's version up to the safe integers only",
    caughtBy: ["update-echoes-the-client"],
    respond: editDecision(({ current }) => {
      const parts = current.version.split(".").map(Number);
      current.version = parts.map((part) => Math.min(part, Number.MAX_SAFE_INTEGER)).join(".");
    }),
  },
  {
    name: "compares builds only",
    caughtBy: ["update-compares-build-and-version"],
    respond: editDecision((decision) => {
      decision.updateAvailable = decision.target.buildNumber > decision.current.buildNumber;
    }),
  },
  {
    name: "compares versions only",
    caughtBy: ["update-compares-build-and-version"],
    respond: editDecision((decision) => {
      const isSame = decision.target.version === decision.current.version;
      if (isSame || decision.current.version.startsWith("987")) decision.updateAvailable = false;
    }),
  },
  {
    name: "compares versions as text",
    caughtBy: ["versions-are-compared-as-numbers"],
    respond: editDecision((decision) => {
      decision.updateAvailable ||= decision.target.version > decision.current.version;
    }),
  },
  {
    name: "gives the download as an absolute address",
    caughtBy: ["update-points-to-the-download-route"],
    respond: editDecision((decision) => {
      decision.download = `https://releases.example.org${decision.download}`;
    }),
  },
  {
    name: "forgets the channel in the download path",
    caughtBy: ["update-points-to-the-download-route"],
    respond: editDecision((decision) => {
      decision.download = decision.download.replace("?channel=beta", "");
    }),
  },
  {
    name: "never makes an update mandatory",
    caughtBy: ["update-is-mandatory-after-the-deadline"],
    respond: editDecision((decision) => {
      decision.mandatory = false;
    }),
  },
  {
    name: "makes an update mandatory for who already has it",
    caughtBy: ["update-is-mandatory-after-the-deadline"],
    respond: editDecision((decision) => {
      decision.mandatory = true;
    }),
  },
  {
    name: "makes an update mandatory before the deadline",
    caughtBy: ["update-is-optional-before-the-deadline"],
    respond: editDecision((decision) => {
      decision.mandatory = decision.updateAvailable;
    }),
  },
  {
    name: "takes a missing build for the first one",
    caughtBy: ["update-needs-platform-version-and-build"],
    respond: changeRequest((request) =>
      request.target.includes("/update/") && !request.target.includes("build=")
        ? withTarget(request, `${request.target}&build=1`)
        : request,
    ),
  },
  {
    name: "responds to a wrong platform of an update like one of a download",
    caughtBy: ["update-needs-platform-version-and-build"],
    respond: changeResponse(
      ({ status }, { target }) => status === 400 && target.includes("/update/amiga"),
      (response) => withCode(response, 404, "platform_not_supported"),
    ),
  },
  {
    name: "takes builds in scientific notation",
    caughtBy: ["update-build-is-a-canonical-integer"],
    respond: changeRequest((request) =>
      withTarget(request, request.target.replace("build=1e2", "build=100")),
    ),
  },
  {
    name: "refuses builds beyond the safe integers",
    caughtBy: ["update-build-has-any-length"],
    respond: changeRequest((request) =>
      Number(queryValue(request, "build")) > Number.MAX_SAFE_INTEGER
        ? changeQuery(request, (query) => query.set("build", "0"))
        : request,
    ),
  },
  {
    name: "rounds builds to floating-point numbers",
    caughtBy: ["update-build-has-any-length"],
    respond: editDecision(() => {}),
  },
  {
    name: "looks at the channel before the coordinate",
    caughtBy: ["update-checks-the-channel-last"],
    respond: changeResponse(
      ({ status }, request) => status === 400 && queryOf(request).includes("nightly"),
      (response) => withCode(response, 400, "invalid_channel"),
    ),
  },
];
