import assert from "node:assert/strict";
import type { InvariantName } from "../../../../components/gate/invariants.ts";
import { customized } from "../../deploy/stacks.ts";
import { findingsIn, findingsWith, type Recorded, recorded, withValue } from "./registrations.ts";

const widget = "ann/object/widget.example.org:tutor-ann";

/** A field of one resource, another value, and what that breaks. */
const changes: readonly (readonly [name: string, path: string, value: unknown, ...broken: InvariantName[]])[] = [
  [widget, "kind", "Gadget", "known-kinds"],
  [widget, "apiVersion", "example.org/v2", "known-kinds"],
  [widget, "metadata.namespace", "eve", "given-objects", "own-places"],
  [widget, "metadata.name", "other", "given-objects"],
  [widget, "metadata.labels.kubecamp~dev/object", undefined, "given-objects"],
  [widget, "metadata.labels.kubecamp~dev/member", "eve", "own-places"],
];

describe("the policy gate on custom kinds", () => {
  const stackOf = (kind: object = {}): Promise<Recorded> =>
    recorded(
      {
        members: [{ member: "ann", type: "user" }],
        objectKinds: [{ apiVersion: "example.org/v1", kind: "Widget", ...kind }],
        objects: [{ file: "objects/widget.yaml" }],
      },
      customized.files,
    );
  let stack: Recorded;
  before(async () => {
    stack = await stackOf();
  });

  it("finds nothing in what a run registers, whatever the resource is called", async () => {
    assert.deepEqual(findingsIn(stack), []);
    assert.ok(stack.batch.some(({ name, type }) => name === widget && type === "kubernetes:example.org/v1:Widget"));
    assert.deepEqual(findingsIn(await stackOf({ plural: "gadgets", edit: true })), []);
  });

  for (const [name, path, value, ...broken] of changes) {
    it(`finds ${broken.join(" and ")} broken where ${path} of ${name} is ${JSON.stringify(value)}`, () => {
      const keys = path.split(".").map((key) => key.replaceAll("~", "."));
      const found = findingsWith(stack, name, (each) => withValue(each, ["args", ...keys], value));
      // The gate can't judge the guard, so it does not count as one.
      const names = new Set(found.map(({ invariant }) => invariant).filter((each) => each !== "guards-first"));
      assert.deepEqual([...names].sort(), [...broken].sort());
    });
  }

  it("finds a kind that no setting allows", () => {
    const found = findingsIn({ ...stack, settings: { ...stack.settings, objectKinds: [] } });
    assert.deepEqual(
      found.slice(0, 1).map(({ invariant, object, message }) => [invariant, object, message]),
      [
        [
          "known-kinds",
          `kubernetes:example.org/v1:Widget ${widget}`,
          'the gate has no invariants for a kubernetes:example.org/v1:Widget of kind "Widget": add some',
        ],
      ],
    );
  });

  it("finds a right to write such objects, unless the settings give it", async () => {
    const writing = (of: Recorded) =>
      findingsWith(of, "ann/role/edit", (each) => {
        const rules = [{ apiGroups: ["example.org"], resources: ["widgets"], verbs: ["create"] }];
        return withValue(each, ["args", "rules"], rules);
      }).flatMap(({ invariant, message }) => (invariant === "no-powers" ? [message] : []));
    assert.deepEqual(writing(stack), ["[\"create\"] on 'example.org/widgets', which only the platform may write"]);
    assert.deepEqual(writing(await stackOf({ edit: true })), []);
  });
});
