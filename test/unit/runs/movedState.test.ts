import assert from "node:assert/strict";
import {
  bucketMembersIn,
  knowsBuckets,
  sealedMembers,
  unfinishedIn,
  withoutMembers,
  withTaken,
} from "../../../runs/state/movedState.ts";

const environment = "kubecamp:index:MemberEnvironment";
const binding = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding";
const urn = (stack: string, type: string, name: string) => `urn:pulumi:${stack}::kubecamp::${type}::${name}`;
const ofMember = (stack: string, type: string, name: string) => urn(stack, `${environment}$${type}`, name);

/** A stack with its root, one policy, and a member each. */
function state(stack: string, ...names: string[]) {
  const root = { urn: urn(stack, "pulumi:pulumi:Stack", `kubecamp-${stack}`), type: "pulumi:pulumi:Stack" };
  const provider = {
    urn: urn(stack, "pulumi:providers:kubernetes", "cluster"),
    type: "pulumi:providers:kubernetes",
    id: `id-of-${stack}`,
  };
  const policy = { urn: urn(stack, "kubecamp:index:ClusterAccess$p", "access/policy"), type: "p", parent: root.urn };
  const resources = names.flatMap((name) => {
    const home = ofMember(stack, "kubernetes:core/v1:Namespace", `${name}/namespace`);
    const child = { parent: urn(stack, environment, name), provider: `${provider.urn}::${provider.id}` };
    return [
      { urn: urn(stack, environment, name), type: environment, parent: root.urn, provider: "" },
      { urn: home, type: "kubernetes:core/v1:Namespace", ...child, outputs: { __fieldManager: "pulumi-1" } },
      {
        urn: ofMember(stack, "kubernetes:core/v1:LimitRange", `${name}/limits`),
        type: "kubernetes:core/v1:LimitRange",
        ...child,
        dependencies: [home],
        propertyDependencies: { metadata: [home], spec: [] },
        deletedWith: home,
      },
      {
        urn: ofMember(stack, binding, `${name}/others/view`),
        type: binding,
        ...child,
        dependencies: [policy.urn, home],
      },
    ];
  });
  return { version: 3, deployment: { manifest: {}, resources: [root, provider, policy, ...resources] } };
}

const names = (of: { deployment: { resources?: readonly { urn: string }[] } }) =>
  (of.deployment.resources ?? []).map(({ urn }) => urn.split("::")[3]);

describe("a state that members are taken out of", () => {
  it("keeps the binding that carries its name, and nothing that links to what is gone", () => {
    const { state: left, taken } = withoutMembers(state("prod-0", "ada", "bob"), "prod-0", new Set(["bob"]));
    assert.deepEqual(names(left), [
      ...["kubecamp-prod-0", "cluster", "access/policy"],
      ...["ada", "ada/namespace", "ada/limits", "ada/others/view"],
      ...["bob", "bob/others/view"],
    ]);
    const { resources } = left.deployment;
    assert.deepEqual(resources.at(-1), {
      urn: ofMember("prod-0", binding, "bob/others/view"),
      type: binding,
      parent: urn("prod-0", environment, "bob"),
      provider: `${urn("prod-0", "pulumi:providers:kubernetes", "cluster")}::id-of-prod-0`,
      dependencies: [urn("prod-0", "kubecamp:index:ClusterAccess$p", "access/policy")],
    });
    assert.deepEqual(resources.slice(0, 7), state("prod-0", "ada").deployment.resources);
    assert.deepEqual(
      taken.resources.map(({ urn }) => urn.split("::")[3]),
      ["bob", "bob/namespace", "bob/limits"],
    );
  });
});

describe("a state that members are put into", () => {
  const { taken } = withoutMembers(state("prod-0", "ada", "bob"), "prod-0", new Set(["ada", "bob"]));

  it("has what they had as its own, with its own provider and the same field managers", () => {
    const after = withTaken(state("prod-2", "cyd"), "prod-2", new Map([["bob", "prod-0"]]), [taken]);
    const fresh = state("prod-2", "cyd", "bob");
    const { resources } = fresh.deployment;
    assert.deepEqual(after, {
      ...fresh,
      deployment: { ...fresh.deployment, resources: resources.filter(({ urn }) => !urn.endsWith("bob/others/view")) },
    });
  });

  it("keeps what it has of them already", () => {
    const full = state("prod-2", "bob");
    assert.deepEqual(withTaken(full, "prod-2", new Map([["bob", "prod-0"]]), [taken]), full);
  });

  it("leaves what is encrypted with the other's key to its next run", () => {
    const [first, home, ...others] = taken.resources.filter(({ urn }) => urn.includes("bob"));
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
    const resources = [first, { ...home, outputs: secret }, ...others].filter((each) => each !== undefined);
    const after = withTaken(state("prod-2"), "prod-2", new Map([["bob", "prod-0"]]), [
      { ...taken, resources: resources as typeof taken.resources },
    ]);
    assert.deepEqual(names(after ?? state("")).slice(3), ["bob", "bob/limits"]);
    const limits = after?.deployment.resources.at(-1) as unknown as Record<string, unknown>;
    assert.deepEqual([limits.dependencies, limits.deletedWith], [[], undefined]);
    assert.deepEqual(sealedMembers({ ...taken, resources: resources as typeof taken.resources }), ["bob"]);
  });

  it("has their buckets on the provider of its own server, or leaves them to its next run", () => {
    const type = "kubecamp-buckets:index:Bucket";
    const bucket = (stack: string, provider: string) => ({
      ...{ urn: ofMember(stack, type, "bob/bucket/data"), type, parent: urn(stack, environment, "bob"), provider },
    });
    const of = { ...taken, resources: [...taken.resources, bucket("prod-0", "theirs::1")] };
    assert.deepEqual([...bucketMembersIn({ deployment: { resources: of.resources } } as never)], ["bob"]);
    const bucketsIn = (into: ReturnType<typeof state>) =>
      withTaken(into, "prod-2", new Map([["bob", "prod-0"]]), [of])?.deployment.resources.filter(
        (each) => each.type === type,
      );
    assert.deepEqual(bucketsIn(state("prod-2")), []);
    const storage = "pulumi:providers:kubecamp-buckets";
    const server = { urn: urn("prod-2", storage, "storage"), type: storage, id: "own" };
    const into = state("prod-2");
    assert.equal(knowsBuckets(into), false);
    into.deployment.resources.push(server as never);
    assert.equal(knowsBuckets(into), true);
    assert.deepEqual(bucketsIn(into), [bucket("prod-2", `${server.urn}::own`)]);
  });
});

describe("members in a state", () => {
  it("take along what Pulumi remembers of them for ever, so that they can come back one day", () => {
    const { version, deployment } = state("prod-0", "ada", "bob");
    const begun = (name: string) => ({
      type: "creating",
      resource: { urn: ofMember("prod-0", "kubernetes:core/v1:LimitRange", `${name}/limits`) },
    });
    const before = { version, deployment: { ...deployment, pending_operations: [begun("ada"), begun("bob")] } };
    const { state: left } = withoutMembers(before, "prod-0", new Set(["bob"]));
    assert.deepEqual(left.deployment.pending_operations, [begun("ada")]);
  });

  it("are unfinished where a run was killed, or has something left to delete", () => {
    const { version, deployment } = state("prod-0", "ada", "bob", "cyd", "dan");
    const home = (name: string) => ({ urn: ofMember("prod-0", "kubernetes:core/v1:Namespace", `${name}/namespace`) });
    const pending_operations = [
      { type: "creating", resource: home("ada") },
      { type: "creating", resource: { urn: ofMember("prod-0", binding, "bob/binding/view") } },
      // Whatever a killed run was making is taken over as all else, unless the old stack's name is in its own.
      { type: "creating", resource: { urn: ofMember("prod-0", "kubernetes:core/v1:ResourceQuota", "eve/quota") } },
      { type: "updating", resource: home("cyd") },
    ];
    const resources = [...deployment.resources, { ...home("dan"), type: "x", delete: true }];
    assert.deepEqual(
      [...unfinishedIn({ version, deployment: { ...deployment, resources, pending_operations } } as never)].sort(),
      ["bob", "cyd", "dan"],
    );
  });
});
