import { expectEach, expectHeader, expectSame, expectStatus } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";

export const credentialsChangeNothing: ReleaseCase = {
  id: "credentials-change-nothing",
  title: "The API asks for no authentication, and one that is sent changes nothing",
  section: "release contract, Authentication",
  async run({ api }) {
    await expectEach(["/api/v1/releases", "/api/v1/manifest"], async (path) => {
      const plain = await api.get(path);
      expectStatus(plain, 200, 503);
      expectHeader(plain, "Set-Cookie", undefined);
      const signedIn = await api.get(path, { Authorization: "Bearer x", Cookie: "session=x" });
      expectSame(signedIn, "status", signedIn.status, plain.status);
      expectSame(signedIn, "ETag", signedIn.header("ETag"), plain.header("ETag"));
    });
  },
};
