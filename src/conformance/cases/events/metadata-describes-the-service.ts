import { AUTHORIZE } from "../../events/authorize.ts";
import { expectMetadata } from "../../events/bodies.ts";
import { METADATA } from "../../events/routes.ts";
import { REVOKE, TOKEN, type EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const metadataDescribesTheService: EventsCase = {
  id: "metadata-describes-the-service",
  level: "trellis",
  title: "The metadata name the issuer and its routes",
  section: "Trellis decision, events service: RFC 8414 metadata",
  async run({ api, publicUrl }) {
    const answer = await api.get(METADATA);
    const metadata = expectMetadata(answer);
    expectSame(answer, "issuer", metadata.issuer, publicUrl);
    expectSame(
      answer,
      "authorization_endpoint",
      metadata.authorization_endpoint,
      publicUrl + AUTHORIZE,
    );
    expectSame(answer, "token_endpoint", metadata.token_endpoint, publicUrl + TOKEN);
    expectSame(answer, "revocation_endpoint", metadata.revocation_endpoint, publicUrl + REVOKE);
  },
};
