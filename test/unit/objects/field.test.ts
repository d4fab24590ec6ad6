import assert from "node:assert/strict";
import { annotation, count, cpu, memory, propertyPath, split } from "../../../objects/field.ts";

describe("a field's text", () => {
  it("gives CPUs as Kubernetes does", () => {
    const texts = ["250m", "1", "1500m", "0"].map((quantity) => cpu("CPU").text?.(quantity, {}));
    assert.deepEqual(texts, ["250m", "1", "1.5", "0"]);
  });

  it("gives memory in the largest unit whose hundredths are exact", () => {
    const texts = ["500Mi", "1536Mi", "5000Mi", "2Ti", "0"].map((quantity) => memory("memory").text?.(quantity, {}));
    assert.deepEqual(texts, ["500 MiB", "1.5 GiB", "5000 MiB", "2 TiB", "0 MiB"]);
  });

  it("writes a number out, and leaves what is no quantity as it is", () => {
    const texts = ["2k", "(secret)", undefined].map((quantity) => count("pods").text?.(quantity, {}));
    assert.deepEqual(texts, ["2000", "(secret)", undefined]);
  });

  it("has no entries of an empty list", () => {
    assert.deepEqual(["a,b", "", undefined].map(split("classes", ",").list ?? assert.fail), [["a", "b"], [], []]);
  });
});

describe("a field's path", () => {
  it("has the form of Pulumi's", () => {
    assert.equal(annotation("kubecamp.dev/url"), 'metadata.annotations["kubecamp.dev/url"]');
    assert.equal(propertyPath(["spec", "limits", "[Container]", "min", "cpu"]), "spec.limits[Container].min.cpu");
  });
});
