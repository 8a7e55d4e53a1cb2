/** What an app writes, on the landing pages. `test/package/npm-examples.test.ts` compiles it. */
export const LANDING_SAMPLE = `import {
  createIndexedDbStorage,
  createSyncClient,
} from "trellis/client";

const client = await createSyncClient({
  baseUrl: "https://sync.example.com",
  redirectUri: "https://app.example.com/callback",
  storage: createIndexedDbStorage("notes"),
  profile: "open",
});
const notes = client.collection("note");

await notes.create({ text: "Works offline" });
notes.subscribe(() => console.log(notes.list()));
`;
