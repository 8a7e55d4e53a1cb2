import { expectEach } from "../../expect.ts";
import { askSelector, expectWebsite } from "../../release/selector.ts";
import type { ReleaseCase } from "../../release/target.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";

const AGENTS = [
  "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063",
  "Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch; NOKIA; Lumia 920)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edge/44.18363.8131",
  `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`,
  "Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36",
  "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager",
  "Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
  "Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile",
  "Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/38.0 Chrome/134.0.0.0 VR Safari/537.36",
  `Mozilla/5.0 (X11; FreeBSD amd64) ${CHROME}`,
  "Mozilla/5.0 (X11; OpenBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0",
  // Linux without any sign of a desktop.
  "Mozilla/5.0 (Linux) AppleWebKit/537.36 (KHTML, like Gecko)",
];

export const selectorSendsOtherDevicesToTheWebsite: ReleaseCase = {
  id: "selector-sends-other-devices-to-the-website",
  title: "Televisions, consoles, headsets, Chromebooks and other systems are sent to the website",
  section: "Trellis decision, release service: User-Agent detection",
  async run(target) {
    await expectEach(AGENTS, async (userAgent) => {
      expectWebsite(target, await askSelector(target, "", userAgent));
    });
  },
};
