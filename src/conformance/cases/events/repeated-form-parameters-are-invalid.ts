import { expectError } from "../../events/bodies.ts";
import { REVOKE, TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const repeatedFormParametersAreInvalid: EventsCase = {
  id: "repeated-form-parameters-are-invalid",
  level: "trellis",
  title: "Any parameter twice in a form is invalid_request, even when the values agree",
  section: "Trellis decision, events service: token, repeated parameters",
  async run(target) {
    const forms = ["grant_type=password&grant_type=password", "grant_type=password&x=1&x=1"];
    await expectEach(forms, async (form) => {
      expectError(await target.postForm(TOKEN, form), "invalid_request");
    });
    expectError(await target.postForm(REVOKE, "token=x&token=x&client_id=y"), "invalid_request");
  },
};
