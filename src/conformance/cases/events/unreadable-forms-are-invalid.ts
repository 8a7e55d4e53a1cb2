import { expectError } from "../../events/bodies.ts";
import { TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const unreadableFormsAreInvalid: EventsCase = {
  id: "unreadable-forms-are-invalid",
  level: "trellis",
  title: "A form with a broken escape, or that is not UTF-8, is invalid_request",
  section: "Trellis decision, events service: token, a broken escape",
  async run(target) {
    await expectEach(["grant_type=%zz", "grant_type=password&x=%ff"], async (form) => {
      expectError(await target.postForm(TOKEN, form), "invalid_request");
    });
  },
};
