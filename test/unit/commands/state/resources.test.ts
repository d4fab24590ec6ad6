import assert from "node:assert/strict";
import { ownObjects } from "../../../../commands/state/ownObjects.ts";
import { resourcesOf } from "../../../../commands/state/resources.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { MemberEnvironment } from "../../../../components/memberEnvironment.ts";
import { clusterProvider } from "../../../../components/provider/provider.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import type { Settings } from "../../../../config/model/settings/settings.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import type { ManagedService } from "../../../../plan/decisions/managedService.ts";
import { starterPlan } from "../../../../plan/decisions/starter/plan.ts";
import { managedService } from "../../../../plan/objects/route/managedService.ts";
import type { StateResource } from "../../../../runs/state/deployment.ts";
import { ca } from "../../certificates.ts";
import { type Linked, linkedBy } from "../../components/recorded.ts";
import { everyObject, sharedObjects } from "../../everyObject.ts";
import { bob, gatewaySettings, labelsOf, member, settings, traefikSettings } from "../../samples.ts";
import { applied } from "./live.ts";

const provider = { urn: "urn:pulumi:dev::kubecamp::pulumi:providers:kubernetes::cluster", id: "1" };
const root = { stack: "urn:pulumi:dev::kubecamp::pulumi:pulumi:Stack::kubecamp-dev", provider };
const service: ManagedService = {
  labels: labelsOf("bob"),
  selector: { app: "bob" },
  ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }],
  annotations: {},
  mends: [],
  isTakenOver: false,
};
const made = { apiVersion: "v1", kind: "Service", ...managedService(bob, service, "2026-06-01T08:00:00.000Z") };

/** All resources that a run registers, without the stack and the provider. */
async function registered(of: Member, settings: Settings, service?: ManagedService): Promise<Linked[]> {
  const all = await linkedBy(() => {
    const provider = clusterProvider(settings);
    const drift = new Drift({ managedObjects: new Map() });
    const access = new ClusterAccess("access", { settings, drift }, { provider });
    const starter = starterPlan(of, settings, { managedObjects: new Map(), services: new Map() });
    const args = { member: of, settings, access, routed: true, drift, service, starter };
    new MemberEnvironment(of.name, args, { provider });
  });
  return all.filter(({ urn }) => urn.includes("kubecamp:index:"));
}

const resources = (of: Member, settings: Settings, ...more: Parameters<typeof applied>[0][]) =>
  resourcesOf(
    ownObjects(
      [...everyObject(of, settings), ...sharedObjects(settings), ...more].map((each) => applied(each)),
      settings,
    ).named,
    root,
  );

/** The same of what a rebuild makes. */
function linked(made: readonly StateResource[]): Linked[] {
  const links = made.map((resource): Linked => {
    const {
      urn,
      parent = "",
      dependencies = [],
      deletedWith = "",
      propertyDependencies = {},
      ...rest
    } = resource as Partial<Linked> & StateResource;
    const { protect = false, retainOnDelete = false, ignoreChanges = [] } = rest;
    const properties = Object.entries(propertyDependencies).filter(([, urns]) => urns.length > 0);
    return {
      ...{ urn, parent: parent === root.stack ? "" : parent, dependencies: [...dependencies].sort() },
      ...{ propertyDependencies: Object.fromEntries(properties), deletedWith, protect, retainOnDelete, ignoreChanges },
    };
  });
  return links.sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

describe("resources of a rebuilt state", () => {
  for (const [title, stack] of [
    ["Ingresses", settings],
    ["Traefik", traefikSettings({ rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } })],
    [
      "Traefik and a login",
      traefikSettings({ login: { kind: "oauth2-proxy", url: "http://proxy.login.svc", allow: ["staff"] } }),
    ],
    ["Traefik and limits", traefikSettings({ limits: { bodyMiB: 10, timeoutSeconds: 60 } })],
    ["a Gateway", gatewaySettings({ backendProtocol: "HTTPS", backendTls: { ca } })],
  ] as const) {
    it(`have the names, and hang together, as a run registers them with ${title}`, async () => {
      assert.deepEqual(linked(resources(bob, stack)), await registered(bob, stack));
    });
  }

  it("do so of a member whose Service kubecamp makes, of a protected one, and of one called as what all share is", async () => {
    assert.deepEqual(linked(resources(bob, settings, made)), await registered(bob, settings, service));
    const access = member({ member: "access", type: "user", protect: true });
    assert.deepEqual(linked(resources(access, settings)), await registered(access, settings));
  });

  it("do so of starter apps, which stay where they were made once", async () => {
    for (const starter of ["once", "kept"]) {
      const lee = member({ member: "lee", type: "user", starter });
      const app = { ...service, labels: labelsOf("lee"), selector: { app: "lee" } };
      const object = { apiVersion: "v1", kind: "Service", ...managedService(lee, app, "2026-06-01T08:00:00.000Z") };
      assert.deepEqual(linked(resources(lee, settings, object)), await registered(lee, settings, app));
    }
  });

  it("are kept as the plugin keeps them: inputs, and the live object beside them", () => {
    const [quota] = everyObject(bob, settings).filter(({ kind }) => kind === "ResourceQuota");
    assert.ok(quota);
    const live = applied(quota);
    const made = resources(bob, settings).find(({ urn }) => urn.endsWith("::bob/quota")) ?? assert.fail();
    const { urn: _, parent: __, dependencies, deletedWith, ...rest } = made;
    const home =
      "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Namespace::bob/namespace";
    assert.deepEqual([dependencies, deletedWith], [[home], home]);
    assert.deepEqual(rest, {
      custom: true,
      id: "bob/quota",
      type: "kubernetes:core/v1:ResourceQuota",
      inputs: quota,
      outputs: { ...live, __inputs: quota, __initialApiVersion: "v1", __fieldManager: "pulumi-kubernetes-0a1b2c3d" },
      provider: `${provider.urn}::1`,
      propertyDependencies: { apiVersion: [], kind: [], metadata: [home], spec: [] },
    });
  });

  it("have what is secret as such, wherever it stands", () => {
    const stack = traefikSettings({ backendProtocol: "HTTPS", backendTls: { ca } });
    const secret = resources(bob, stack).find(({ type }) => type === "kubernetes:core/v1:Secret");
    const { inputs, outputs, additionalSecretOutputs } = secret as unknown as {
      inputs: { data: object };
      outputs: { data: object; __inputs: { data: object } };
      additionalSecretOutputs: string[];
    };
    const data = { "ca.crt": Buffer.from(ca).toString("base64") };
    // https://www.pulumi.com/docs/iac/concepts/secrets/
    const concealed = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: JSON.stringify(data),
    };
    assert.deepEqual([inputs.data, outputs.data, outputs.__inputs.data], [concealed, concealed, concealed]);
    assert.deepEqual(additionalSecretOutputs, ["data", "stringData"]);
  });

  it("hang on nothing that is not there", () => {
    const objects = everyObject(bob, settings).filter(({ kind }) => kind === "RoleBinding" || kind === "Role");
    const { named } = ownObjects(
      objects.map((each) => applied(each)),
      settings,
    );
    const made = resourcesOf(named, root);
    const role = made.find(({ urn }) => urn.endsWith("::bob/role/edit"));
    const links = linked(made).flatMap(({ urn, dependencies }) =>
      dependencies.length > 0 ? [[urn, dependencies]] : [],
    );
    assert.deepEqual(links, [[made.at(-1)?.urn, [role?.urn]]]);
    assert.equal(role?.deletedWith, undefined);
  });
});
