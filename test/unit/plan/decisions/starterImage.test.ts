import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { namespace } from "../../../../objects/namespace.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { withImage } from "../../../../plan/decisions/starterPlan.ts";
import { managedObject } from "../../cluster/operators.ts";
import { configuration, labelsOf, member, settings } from "../../samples.ts";
import { planned } from "../planned.ts";

const [older, newer] = ["docker.io/library/caddy:2", "ghcr.io/acme/pages:3"];
const bobs = (starter: string, image = newer, entry: object = {}) => {
  const parsed = configuration({
    members: [{ member: "bob", type: "user", images: ["nginx"], starter, ...entry }],
    starter: { image, mode: "off" },
  });
  const [bob] = parsed.members;
  assert.ok(bob);
  return { bob, settings: parsed.settings };
};
const made = (image?: string): ManagedObject => ({
  ...managedObject(labelsOf("bob")),
  annotations: { "kubecamp.dev/starter": "made", ...(image && { "kubecamp.dev/starter-image": image }) },
});
const imageOf = (of: ReturnType<typeof bobs>, managedObjects: Record<string, ManagedObject> = {}) =>
  planned(of.bob, of.settings, { managedObjects: new Map(Object.entries(managedObjects)), services: new Map() })
    .starterImage;

describe("the image of a starter app that was made once", () => {
  const app = { "Deployment bob/starter": managedObject(labelsOf("bob")) };
  const roleWith = (image?: string) => ({ "Role bob/kubecamp-edit": made(image) });

  it("remembers a starter app's image on the Role, and keeps it allowed when settings change", () => {
    assert.equal(imageOf(bobs("once", older)), older);
    assert.equal(imageOf(bobs("once"), { ...app, ...roleWith(older) }), older);
    assert.equal(imageOf(bobs("off"), roleWith(older)), older);
    const { bob } = bobs("once");
    const { annotations } = namespace(withImage(bob, older), settings).metadata;
    assert.equal(annotations["kubecamp.dev/images"], `nginx\n${newer}\n${older}`);
    assert.equal(
      role(bob, settings, { hasStarter: true, starterImage: older }).metadata.annotations["kubecamp.dev/starter-image"],
      older,
    );
  });

  it("remembers no starter image where the app is kept, or was never made", () => {
    assert.equal(imageOf(bobs("kept"), { ...app, ...roleWith(older) }), undefined);
    assert.equal(imageOf(bobs("off")), undefined);
    assert.equal(imageOf(bobs("once", newer, { suspended: true })), undefined);
  });

  it("adds no starter image for a member who may run any image, or that one anyway", () => {
    const { bob } = bobs("once");
    assert.equal(withImage(bob, newer).images, bob.images);
    assert.deepEqual(withImage({ ...bob, images: ["*"] }, older).images, ["*"]);
    const any = member({ member: "bob", type: "user" });
    assert.equal(withImage(any, older), any);
  });
});
