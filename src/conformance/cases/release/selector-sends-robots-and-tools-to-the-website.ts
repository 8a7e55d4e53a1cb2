import { expectEach } from "../../expect.ts";
import { askSelector, expectWebsite } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const AGENTS = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "WhatsApp/2.23.20.0 A",
  "curl/8.14.1",
  "Wget/1.25.0 (linux-gnu)",
  "okhttp/4.12.0",
  "python-requests/2.32.4",
  "Go-http-client/2.0",
  "axios/1.10.0",
  "node",
  "Habits/12 CFNetwork/3826.500.111 Darwin/24.4.0",
];

export const selectorSendsRobotsAndToolsToTheWebsite: ReleaseCase = {
  id: "selector-sends-robots-and-tools-to-the-website",
  title: "Crawlers, link previews and command-line tools are sent to the website",
  section: "Trellis decision, release service: User-Agent detection",
  async run(target) {
    await expectEach(AGENTS, async (userAgent) => {
      expectWebsite(target, await askSelector(target, "", userAgent));
    });
  },
};
