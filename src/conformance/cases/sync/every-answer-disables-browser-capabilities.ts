import { expectHeaderMatch } from "../../expect.ts";
import { expectOfEveryResponse } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const everyAnswerDisablesBrowserCapabilities: SyncCase = {
  id: "every-answer-disables-browser-capabilities",
  title: "Every answer switches off what the service does not use: camera, microphone, location",
  section: "sync contract, Authentication 8: disables unrelated browser capabilities",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      for (const name of ["camera", "microphone", "geolocation"]) {
        expectHeaderMatch(
          answer,
          "Permissions-Policy",
          new RegExp(`(?:^|,)\\s*${name}=\\(\\)\\s*(?:,|$)`),
          `${name}=()`,
        );
      }
    });
  },
};
