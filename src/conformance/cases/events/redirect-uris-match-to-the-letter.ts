import { askToAuthorize, expectErrorPage } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const redirectUrisMatchToTheLetter: EventsCase = {
  id: "redirect-uris-match-to-the-letter",
  level: "trellis",
  title:
    "A redirect URI that is missing, repeated or not one of the client's to the letter is a page with status 400",
  section: "Trellis decision, events service: authorize, check 2",
  async run(target) {
    const { redirectUri } = target;
    const others = [
      undefined,
      "",
      `${redirectUri}/`,
      `${redirectUri}?`,
      `${redirectUri}#`,
      `${redirectUri}%20`,
      ` ${redirectUri}`,
      redirectUri.replace(/^[a-z]+/, (scheme) => scheme.toUpperCase()),
      redirectUri.replace("//localhost", "//127.0.0.1").concat("x"),
      redirectUri.slice(0, -1),
    ];
    await expectEach(others, async (uri) => {
      expectErrorPage(await askToAuthorize(target, { redirect_uri: uri }));
    });
    const again = `&redirect_uri=${encodeURIComponent(redirectUri)}`;
    expectErrorPage(await askToAuthorize(target, {}, again));
  },
};
