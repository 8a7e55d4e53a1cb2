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
  toBreaks,
} from "./break.ts";

const editDecision = (edit: (decision: UpdateDecision) => unknown) =>
  changeResponse(isOk(/^\/api\/v1\/update\//), (response) =>
    editBody<UpdateDecision>(response, edit),
  );

export const BREAKS_OF_UPDATES = toBreaks<ReleaseBreak>({
  "update-names-the-latest-release": {
    "names an older target": editDecision(({ target }) => {
      target.buildNumber -= 1;
    }),
    "names its own minimum version": editDecision((decision) => {
      decision.minimumSupportedVersion = decision.target.version;
    }),
  },
  "update-echoes-the-client": {
    "counts the client's version up to the safe integers only": editDecision(({ current }) => {
      const parts = current.version.split(".").map(Number);
      current.version = parts.map((part) => Math.min(part, Number.MAX_SAFE_INTEGER)).join(".");
    }),
  },
  "update-compares-build-and-version": {
    "compares builds only": editDecision((decision) => {
      decision.updateAvailable = decision.target.buildNumber > decision.current.buildNumber;
    }),
    "compares versions only": editDecision((decision) => {
      const isSame = decision.target.version === decision.current.version;
      if (isSame || decision.current.version.startsWith("987")) decision.updateAvailable = false;
    }),
  },
  "versions-are-compared-as-numbers": {
    "compares versions as text": editDecision((decision) => {
      decision.updateAvailable ||= decision.target.version > decision.current.version;
    }),
  },
  "update-points-to-the-download-route": {
    "gives the download as an absolute address": editDecision((decision) => {
      decision.download = `https://releases.example.org${decision.download}`;
    }),
    "forgets the channel in the download path": editDecision((decision) => {
      decision.download = decision.download.replace("?channel=beta", "");
    }),
  },
  "update-is-mandatory-after-the-deadline": {
    "never makes an update mandatory": editDecision((decision) => {
      decision.mandatory = false;
    }),
    "makes an update mandatory for who already has it": editDecision((decision) => {
      decision.mandatory = true;
    }),
  },
  "update-is-optional-before-the-deadline": {
    "makes an update mandatory before the deadline": editDecision((decision) => {
      decision.mandatory = decision.updateAvailable;
    }),
  },
  "update-needs-platform-version-and-build": {
    "takes a missing build for the first one": changeRequest((request) =>
      request.target.includes("/update/") && !request.target.includes("build=")
        ? withTarget(request, `${request.target}&build=1`)
        : request,
    ),
    "responds to a wrong platform of an update like one of a download": changeResponse(
      ({ status }, { target }) => status === 400 && target.includes("/update/amiga"),
      (response) => withCode(response, 404, "platform_not_supported"),
    ),
  },
  "update-build-is-a-canonical-integer": {
    "takes builds in scientific notation": changeRequest((request) =>
      withTarget(request, request.target.replace("build=1e2", "build=100")),
    ),
  },
  "update-build-has-any-length": {
    "refuses builds beyond the safe integers": changeRequest((request) =>
      Number(queryValue(request, "build")) > Number.MAX_SAFE_INTEGER
        ? changeQuery(request, (query) => query.set("build", "0"))
        : request,
    ),
    "rounds builds to floating-point numbers": editDecision(() => {}),
  },
  "update-checks-the-channel-last": {
    "looks at the channel before the coordinate": changeResponse(
      ({ status }, request) => status === 400 && queryOf(request).includes("nightly"),
      (response) => withCode(response, 400, "invalid_channel"),
    ),
  },
});
