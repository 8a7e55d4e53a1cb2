import { expectAnyError } from "../../events/bodies.ts";
import { expectOfEveryResponse } from "../../events/routes.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const errorsHaveTheirForm: EventsCase = {
  id: "errors-have-their-form",
  level: "trellis",
  title: "An error that is no page is JSON with error and error_description, in ASCII",
  section: "Trellis decision, events service: errors (RFC 6749 5.2)",
  async run(target) {
    await expectOfEveryResponse(target, (answer) => {
      const isPage = answer.header("Content-Type")?.startsWith("text/html") === true;
      if (answer.status < 400 || isPage || answer.body.length === 0) return;
      const { error } = expectAnyError(answer);
      if (error === "server_error") violate(answer.asked, "a fault of the request", "server_error");
    });
  },
};
