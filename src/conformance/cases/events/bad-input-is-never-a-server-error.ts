import { askToAuthorize, AUTHORIZE } from "../../events/authorize.ts";
import { TOKEN, type EventsCase } from "../../events/target.ts";
import { describeAnswer, expectEach, violate } from "../../expect.ts";

/** As a client would read it; what it cannot read is sent as it stands. */
function decodeLoosely(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const ODD = [
  "%00",
  "%F0%9F%A7%AA",
  "\u0022%3E%3Cscript%3E",
  "%ff%fe",
  "x".repeat(4000),
  "__proto__",
  "constructor",
];

export const badInputIsNeverAServerError: EventsCase = {
  id: "bad-input-is-never-a-server-error",
  level: "trellis",
  title: "Nothing that a client sends is answered with 500 or above",
  section: "Trellis decision, events service: errors",
  async run(target) {
    await expectEach(ODD, async (value) => {
      const answers = [
        await target.api.get(`${AUTHORIZE}?client_id=${value}&redirect_uri=${value}`),
        await askToAuthorize(target, { state: undefined }, `&state=${value}`),
        await askToAuthorize(target, {}, `&${value}=${value}`),
        await target.postForm(TOKEN, `grant_type=authorization_code&code=${value}&${value}=1`),
        await target.redeem({
          grant_type: "authorization_code",
          code: decodeLoosely(value),
          client_id: target.clientId(),
          redirect_uri: target.redirectUri,
          code_verifier: decodeLoosely(value),
        }),
        await target.list(`limit=${value}&updated_since=${value}`),
        await target.api.get(`/consent?interaction=${value}`),
      ];
      for (const answer of answers) {
        if (answer.status >= 500)
          violate(answer.asked, "a status below 500", describeAnswer(answer));
      }
    });
  },
};
