import { expectEach, violate, describeAnswer } from "../../expect.ts";
import { expectError, expectAnyError } from "../../sync/bodies.ts";
import { encodeText } from "../../sync/cursor.ts";
import { JSON_BODY } from "../../sync/device.ts";
import { POST_ROUTES } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

const BODIES = [
  '{"grantType":"authorization_code","code":"\\u0000","codeVerifier":"\\u0000","redirectUri":"\\ud800","attemptId":"\\u0000"}',
  '{"grantType":"refresh_token","refreshToken":"trs_rt_\\u0000"}',
  '{"__proto__":{"x":1}}',
  '{"constructor":1}',
  "[".repeat(20_000),
  `{"operations":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
  '{"operations":[{"__proto__":null}]}',
  '{"operations":[1e999,-0,"\\ud800",null,true,[],{}]}',
];

export const badInputIsNeverAServerError: SyncCase = {
  id: "bad-input-is-never-a-server-error",
  title: "Whatever is wrong with a request, the answer is no 5xx",
  section: "sync contract, Errors; What the service does: general request rules",
  async run(target) {
    const device = await target.device();
    const paths = POST_ROUTES.map(({ path }) => path).filter((path) => path !== "/v1/revoke");
    const questions = paths.flatMap((path) => BODIES.map((body) => ({ path, body })));
    await expectEach(questions, async ({ path, body }) => {
      const headers = { ...JSON_BODY, ...device.bearer, [target.csrfHeader]: "0123456789abcdef" };
      const answer = await target.api.send("POST", path, headers, body);
      if (answer.status >= 500)
        violate(answer.asked, "an answer below 500", describeAnswer(answer));
      expectAnyError(answer);
    });
    const cursors = ["%00", encodeText('{"version":1,"generation":"\\u0000","offset":1}')];
    await expectEach(cursors, async (cursor) => {
      expectError(await device.get(`/v1/pull?cursor=${cursor}`), "invalid_cursor");
    });
  },
};
