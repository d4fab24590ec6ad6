import assert from "node:assert/strict";
import type { WriteRequest } from "../../../cluster/api/requests.ts";
import type { Proof } from "../../../verify/outcome.ts";
import { countsOf, readRecord, writeRecord } from "../../../verify/record.ts";

const proof = (result: Proof["result"]): Proof => ({ part: "access", promise: "", page: "", result, trials: [] });
const proofs = (["held", "broken", "held", "unproven", "held"] as const).map(proof);

describe("the record of a verification", () => {
  it("is read as it was written, from the ConfigMap of the stack", async () => {
    const at = new Date("2026-06-15T03:17:00Z");
    const written: WriteRequest[] = [];
    const write = async (request: WriteRequest) => String(written.push(request));
    await writeRecord({ write }, { stack: "prod" }, { at, counts: countsOf(proofs), report: "Stack prod: 3 held" });
    const [request, ...others] = written;
    assert.deepEqual(others, []);
    const data = {
      ...{ at: "2026-06-15T03:17:00.000Z", held: "3", broken: "1", unproven: "1" },
      report: "Stack prod: 3 held",
    };
    const path = "/api/v1/namespaces/kubecamp-system/configmaps/kubecamp-verify-prod";
    assert.deepEqual(request, {
      what: "write the result into the ConfigMap 'kubecamp-system/kubecamp-verify-prod'",
      method: "PATCH",
      path: `${path}?fieldManager=kubecamp-verify&force=true`,
      contentType: "application/apply-patch+yaml",
      body: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "kubecamp-verify-prod", namespace: "kubecamp-system" },
        data,
      },
    });
    const get = async <T>(asked: { readonly path: string }) =>
      asked.path === path ? ({ data } as unknown as T) : undefined;
    const counts = { held: 3, broken: 1, unproven: 1 };
    assert.deepEqual(await readRecord({ get }, { stack: "prod" }), { at, counts });
    assert.equal(await readRecord({ get }, { stack: "dev" }), undefined);
  });
});
