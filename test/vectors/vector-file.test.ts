import assert from "node:assert/strict";
import { test } from "node:test";
import { createOperationVectors } from "../../scripts/vectors/sync-operations.ts";
import { createVectorFile } from "../../scripts/vectors/vector-file.ts";

test("a code of the contract without a case stops the generation", async () => {
  const source = createOperationVectors();
  const { "a changed field twice": _left, ...inputs } = source.inputs;
  await createVectorFile(source);
  await assert.rejects(
    createVectorFile({ ...source, inputs }),
    /leads to changed_repeated; add one$/,
  );
});
