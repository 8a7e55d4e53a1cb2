/** The test vectors in `vectors/`, for clients in other languages; the rules themselves decide what is expected. */
import type { GeneratedFile } from "../bundle-web.ts";
import { createDateVectors } from "./events-dates.ts";
import { createImportVectors } from "./events-import.ts";
import { createOriginVectors } from "./events-origin.ts";
import { createPasswordProofVectors } from "./password-proof.ts";
import { createPkceVectors } from "./pkce.ts";
import { createArchiveVectors } from "./release-archive.ts";
import { createFilesVectors } from "./release-files.ts";
import { createManifestVectors } from "./release-manifest.ts";
import { createUpdateVectors } from "./release-update.ts";
import { createSealedVectors } from "./sealed.ts";
import { createEvolveVectors } from "./sync-evolve.ts";
import { createCounterVectors, createOrderVectors, createSetVectors } from "./sync-fields.ts";
import { createMergeVectors } from "./sync-merge.ts";
import { createOperationVectors } from "./sync-operations.ts";
import { createPullVectors } from "./sync-pull.ts";
import { createPushVectors } from "./sync-push.ts";
import { createReceiptVectors } from "./sync-receipts.ts";
import { createVectorFile } from "./vector-file.ts";

export function generateVectors(): Promise<GeneratedFile[]> {
  return Promise.all([
    createVectorFile(createDateVectors()),
    createVectorFile(createImportVectors()),
    createVectorFile(createOriginVectors()),
    createVectorFile(createPasswordProofVectors()),
    createVectorFile(createPkceVectors()),
    createVectorFile(createArchiveVectors()),
    createVectorFile(createFilesVectors()),
    createVectorFile(createManifestVectors()),
    createVectorFile(createUpdateVectors()),
    createVectorFile(createSealedVectors()),
    createVectorFile(createCounterVectors()),
    createVectorFile(createEvolveVectors()),
    createVectorFile(createMergeVectors()),
    createVectorFile(createOperationVectors()),
    createVectorFile(createOrderVectors()),
    createVectorFile(createPullVectors()),
    createVectorFile(createPushVectors()),
    createVectorFile(createReceiptVectors()),
    createVectorFile(createSetVectors()),
  ]);
}
