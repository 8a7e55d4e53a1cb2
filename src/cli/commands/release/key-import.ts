import { importUpdaterKey } from "../../../release/publishing/import-updater-key.ts";
import { UPDATER_KEY_KINDS } from "../../../rules/release/updater-keys.ts";
import { defineCommand, flag, option, UsageError, type PromptContext } from "../../command.ts";
import { askSecret, PASSPHRASE_OPTION, readFirstLine } from "../../secret-input.ts";
import {
  describeSealing,
  expectChanged,
  keepKeysPrivate,
  openCatalogContext,
  readNewKeyPassphrase,
} from "./catalog-context.ts";
import { describeUpdaterKey } from "./keys.ts";
import { parseChoice } from "./parse-options.ts";

/** The variable that Tauri itself reads. */
const PASSWORD_VARIABLE = "TAURI_SIGNING_PRIVATE_KEY_PASSWORD";

export const command = defineCommand({
  description: `Installed apps accept only files signed with the key that they know, so an app that already updates with Tauri or Sparkle keeps its key. The file is the one that \`tauri signer generate\`, \`minisign -G\`, Sparkle's \`generate_keys -x\` or \`winsparkle-tool generate-key\` wrote. The key is stored like the other keys of the catalogue, encrypted if you give a passphrase; the file is not changed. The command asks for the password of the file, or takes it from --password-stdin or ${PASSWORD_VARIABLE}.`,
  options: {
    kind: option("KIND", UPDATER_KEY_KINDS.join(" (Tauri) or "), { required: true }),
    file: option("FILE", "The private key", { required: true }),
    "public-key": option("KEY", "The public key in the app, to compare with; required for sparkle"),
    id: option("ID", "The key's id (default: the kind, YEAR-NN)"),
    "password-stdin": flag("Read the password of the file from the first line of standard input"),
    ...PASSPHRASE_OPTION,
  },
  examples: [
    "trellis release key import --kind minisign --file ~/.tauri/myapp.key",
    "trellis release key import --kind sparkle --file sparkle.key --public-key bGazFbU55UN/JHk6CqlU0AoqoVs/QGSEgq9vJSzKxSw=",
  ],
  async run(context) {
    const { options } = context;
    const kind = parseChoice("--kind", options.kind, UPDATER_KEY_KINDS);
    if (options["password-stdin"] && options["passphrase-stdin"]) {
      throw new UsageError(
        `Standard input has one line: give the password of the file in ${PASSWORD_VARIABLE}, or the passphrase of the new key file in TRELLIS_RELEASE_KEY_PASSPHRASE`,
      );
    }
    const catalog = await openCatalogContext(context);
    keepKeysPrivate(catalog);
    let passphrase: string | undefined;
    const imported = expectChanged(
      await importUpdaterKey(catalog, {
        kind,
        file: options.file,
        id: options.id,
        appKey: options["public-key"],
        askPassword: () => readFilePassword(context, options.file),
        readPassphrase: async () => (passphrase = await readNewKeyPassphrase(context, catalog)),
      }),
      context,
    );
    context.print(
      `Imported the ${kind} key ${imported.keyId}: ${imported.path}`,
      describeSealing(passphrase),
      ...describeUpdaterKey(imported),
      "Next: check that the app has this public key, and keep a copy of the private key in a safe place",
    );
    context.json({ key: imported, isEncrypted: passphrase !== undefined });
  },
});

async function readFilePassword(context: PromptContext, file: string): Promise<string | undefined> {
  const { options, terminal } = context;
  if (options["password-stdin"] === true) return readFirstLine(terminal.stdin);
  const { [PASSWORD_VARIABLE]: given } = terminal.env;
  if (given !== undefined) return given;
  return context.isInteractive
    ? askSecret(context, `Password of ${file} (empty if it has none)`)
    : undefined;
}
