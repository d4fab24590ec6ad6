import assert from "node:assert/strict";
import { ofTypes } from "../../../../../verify/parts/admission/confined.ts";
import { imageOf, mayClaim, permittedTo } from "../../../../../verify/parts/admission/permitted.ts";
import { forbiddenImage, ofImages, ofNodes } from "../../../../../verify/parts/admission/pods.ts";
import { addressesAfter } from "../../../../../verify/parts/admission/services.ts";
import { configuration, member } from "../../../samples.ts";

const pool = (name: string, ...tolerations: readonly object[]) => ({
  nodeSelector: { pool: name, "kubernetes.io/arch": "arm64" },
  tolerations: [{ key: "dedicated", value: name }, ...tolerations],
});

describe("the image of a permitted pod", () => {
  for (const [images, image] of [
    [undefined, "busybox:1"],
    [["nginx", "*"], "busybox:1"],
    [[], "busybox:1"],
    [["nginx:1.*"], "nginx:1.0"],
    [["ghcr.io/acme/*:1.*", "nginx"], "ghcr.io/acme/0:1.0"],
  ] as const) {
    it(`is ${image} for ${JSON.stringify(images)}`, () => {
      assert.equal(imageOf(images === undefined ? {} : { images }, "busybox:1"), image);
    });
  }
});

describe("attempts", () => {
  const attemptsOf = (entry: Record<string, unknown>, memberTypes: Record<string, object> = {}) => {
    const { settings, members } = configuration({ memberTypes, members: [{ member: "bob", type: "user", ...entry }] });
    const [bob = assert.fail()] = members;
    return ofTypes(permittedTo({ member: bob, namespace: "bob" }, "x"), bob, settings).flatMap(({ attempts }) =>
      Object.keys(attempts),
    );
  };

  it("have no image off the list where any may run", () => {
    assert.equal(forbiddenImage({}), undefined);
    assert.equal(forbiddenImage({ images: ["*"] }), undefined);
    assert.equal(forbiddenImage({ images: ["kubecamp.invalid/*"] }), undefined);
    assert.equal(forbiddenImage({ images: ["nginx"] }), "kubecamp.invalid/verify:1");
    const bob = member({ member: "bob", type: "user" });
    assert.deepEqual(ofImages(permittedTo({ member: bob, namespace: "bob" }, "x"), bob).attempts, {});
  });

  it("have more pods where the type is restricted", () => {
    const count = (podSecurity: string) => {
      const bob = member({ member: "bob", type: "user", podSecurity });
      return Object.keys(ofNodes(permittedTo({ member: bob, namespace: "bob" }, "x"), bob).attempts).length;
    };
    assert.equal(count("restricted") - count("baseline"), 2);
  });

  it("are about no device, class or pool where no type has any", () => {
    assert.deepEqual(attemptsOf({}), []);
  });

  it("are about the taints and labels of others' pools, not those of the own or Kubernetes'", () => {
    const shared = { key: "shared", operator: "Exists" };
    const types = { cpu: { pool: pool("cpu", shared) }, gpu: { pool: pool("gpu", shared) } };
    const ofCpu = "tolerated dedicated=cpu, a taint of another pool";
    assert.deepEqual(attemptsOf({ type: "gpu" }, types), [
      "ran a pod on other nodes",
      "made a Deployment for other nodes",
      ofCpu,
    ]);
    assert.deepEqual(attemptsOf({}, types), [
      ofCpu,
      "tolerated shared, a taint of another pool",
      "tolerated dedicated=gpu, a taint of another pool",
      "chose nodes by pool=cpu, a label of another pool",
      "chose nodes by pool=gpu, a label of another pool",
    ]);
  });

  it("are about no claim where none is allowed", () => {
    assert.ok(mayClaim(member({ member: "bob", type: "user" })));
    assert.ok(!mayClaim(member({ member: "bob", type: "user", numOfPVCs: 0 })));
    assert.ok(!mayClaim(member({ member: "bob", type: "user", storage: { bulk: 0 } })));
    assert.deepEqual(attemptsOf({ storage: { bulk: 0 } }), []);
    assert.equal(attemptsOf({ storage: { fast: "1Gi", bulk: 0 } }).length, 2);
  });

  it("choose addresses at the beginning of the range", () => {
    assert.deepEqual(addressesAfter("10.96.0.0").slice(0, 2), ["10.96.0.9", "10.96.0.11"]);
    assert.deepEqual(addressesAfter("10.96.0.16").slice(0, 1), ["10.96.0.25"]);
    assert.deepEqual(addressesAfter("fd00:10::").slice(0, 1), ["fd00:10::9"]);
  });
});
