import assert from "node:assert/strict";
import type { Kind } from "../../../../cluster/kinds/kinds.ts";
import { nothingRead } from "../../../../cluster/read/snapshot.ts";
import { standing } from "../../../../components/hooks/ignoredChanges.ts";
import { uncheckedMatters } from "../../../../plan/findings/unchecked.ts";
import { bob, configuration, member, settings, withBuckets } from "../../samples.ts";
import { textOf } from "../planned.ts";

const refused = (...kinds: Kind[]) => ({
  unread: { offline: false, kinds: new Map(kinds.map((kind) => [kind, `403 no ${kind}`])) },
});
const namesOf = (warning = "") => [...warning.matchAll(/^ {2}([^ :]+): /gm)].map(([, name]) => name);

describe("what a preview did not check", () => {
  it("tells of nothing unchecked where everything was read and could be tried", () => {
    assert.equal(textOf(uncheckedMatters([bob], settings, {})), undefined);
    assert.equal(textOf(uncheckedMatters([bob], settings, { mayWrite: "yes" })), undefined);
  });

  it("tells what was unchecked in one warning, a line for each kind, with the API server's words", () => {
    const warning = textOf(uncheckedMatters([bob], settings, refused("Service", "ConfigMap", "Pod"))) ?? "";
    assert.ok(warning.startsWith("Not checked, because this identity has no right to read these:\n"));
    assert.deepEqual(namesOf(warning), ["ConfigMaps", "Pods", "Services"]);
    assert.match(warning, /Services: whether .* so that every route is shown as open, .* \(403 no Service\)$/m);
    assert.equal(warning.split("\n").length, 4);
  });

  it("tells as unchecked that nothing was tried, where the identity may not write", () => {
    assert.deepEqual(namesOf(textOf(uncheckedMatters([bob], settings, { mayWrite: "no" }))), ["admission"]);
    assert.deepEqual(namesOf(textOf(uncheckedMatters([bob], settings, { ...refused("Role"), mayWrite: "no" }))), [
      "Roles",
      "admission",
    ]);
    const unknown = textOf(uncheckedMatters([bob], settings, { mayWrite: "unknown" }));
    assert.deepEqual(namesOf(unknown), ["admission"]);
    assert.match(unknown ?? "", /does not tell whether this identity may/);
  });

  it("tells as unchecked everything that takes a cluster, where there is to be none", () => {
    const warning = textOf(uncheckedMatters([bob], settings, nothingRead())) ?? "";
    assert.ok(warning.startsWith("Offline: this preview had no cluster. It can't know:\n"));
    assert.deepEqual(namesOf(warning), ["cluster", "ownership", "removals", "routes", "drift", "quotas", "admission"]);
    assert.match(
      warning,
      /routes: .* so that every route is shown as open, since Pulumi's state could not be read either$/m,
    );
    assert.doesNotMatch(warning, /cluster\.id is/);
  });

  it("names the cluster meant, what stands for routes unchecked, and adopt where somebody has it", () => {
    const stack = configuration({ members: [], cluster: { id: "6f9c3a52-7d6f-4c1c-9a55-2f4c6f0b1a11" } }).settings;
    const { unread, ...snapshot } = nothingRead();
    const known = { ...snapshot, unread: { offline: true, kinds: new Map(unread?.kinds), last: new Set<string>() } };
    const adopted = member({ member: "bob", type: "user", adopt: true });
    const warning = textOf(uncheckedMatters([adopted], stack, known)) ?? "";
    assert.match(warning, /cluster\.id is 6f9c3a52-/);
    assert.match(warning, /routes: .* every route stays as Pulumi's state has it/);
    assert.equal(namesOf(warning).at(-1), "adopt");
    const stored = withBuckets({ member: "ana", type: "user", buckets: [{ name: "data" }] });
    assert.equal(namesOf(textOf(uncheckedMatters(stored.members, stored.settings, known)) ?? "").at(-1), "buckets");
  });
});

describe("what stays as Pulumi's state has it", () => {
  const applied = { ignoreChanges: ['metadata.annotations["kubecamp.dev/applied"]'] };
  const role = "kubernetes:rbac.authorization.k8s.io/v1:Role";

  it("keeps the annotation from the live object as Pulumi's state has it, of kinds unread", () => {
    assert.deepEqual(standing(role, "bob/role/edit", refused("Role")), applied);
    assert.deepEqual(standing("kubernetes:gateway.networking.k8s.io/v1:HTTPRoute", "x", nothingRead()), applied);
    const deployment = standing("kubernetes:apps/v1:Deployment", "bob/starter/deployment", refused("Deployment"));
    assert.deepEqual(deployment, { ignoreChanges: [...applied.ignoreChanges, "spec.strategy"] });
    assert.deepEqual(standing(role, "bob/role/edit", refused("RoleBinding")), {});
    const custom = { objectKinds: [{ kind: "Redis.v1.example.org:redis", isEditable: false }] } as const;
    const redis = "kubernetes:example.org/v1:Redis";
    assert.deepEqual(standing(redis, "bob/object/redis.example.org:x", nothingRead(custom)), applied);
    assert.deepEqual(standing(redis, "bob/object/redis.example.org:x", nothingRead()), {});
    assert.deepEqual(standing("kubecamp:index:MemberEnvironment", "bob", nothingRead()), {});
    assert.deepEqual(standing("pulumi:providers:kubernetes", "cluster", nothingRead()), {});
  });
});
