import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import type { TlsSettings } from "../../../../config/model/routes/route.ts";
import { serversTransport } from "../../../../plan/objects/route/traefik.ts";
import { fenceText } from "../../../../watch/manifests/fence.ts";
import { evaluated } from "../../cel.ts";
import { bob, settings } from "../../samples.ts";

const kind = "Guard.v1.example.org:resourcequotas" as const;
const [policy] = parseAllDocuments(fenceText({ ...settings, objectKinds: [{ kind, isEditable: true }] })).map(
  (document) => document.toJS() as Fence,
);

interface Fence {
  readonly spec: {
    readonly variables: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly { readonly expression: string }[];
  };
}

const variable = (name: string) => policy?.spec.variables.find((each) => each.name === name)?.expression ?? "";

describe("the fence of kubecamp watch", () => {
  /** Whether it lets the watch write a member's Role with such a rule. */
  const isLet = (apiGroups: readonly string[], resources: readonly string[]) => {
    const rule = { apiGroups, resources, verbs: ["create"] };
    const { expression = "" } = policy?.spec.validations.find((each) => each.expression.includes("writable")) ?? {};
    const variables = { written: "roles", rules: [rule], writable: evaluated(variable("writable"), {}) };
    return evaluated(expression, { variables, object: { metadata: { name: "kubecamp-edit" } } });
  };

  it("compares resources with their groups: a custom kind that members edit may be called as what guards them", () => {
    assert.deepEqual(
      [isLet(["example.org"], ["resourcequotas"]), isLet([""], ["pods"]), isLet(["apps"], ["deployments"])],
      [true, true, true],
    );
    assert.deepEqual(
      [
        isLet([""], ["resourcequotas"]),
        isLet(["", "example.org"], ["pods", "resourcequotas"]),
        isLet(["example.org"], ["pods"]),
        isLet(["apps"], ["pods"]),
      ],
      [false, false, false, false],
    );
  });

  it("lets the Secret with the CA beside the controller be that, and not the token of a ServiceAccount there", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("kubecamp-backend-ca-")) ?? {};
    const isLetBe = (type: string, owners: readonly object[] = []) =>
      evaluated(expression, {
        variables: { written: "secrets", isHome: false, isGiven: false, stack: "prod" },
        object: { type, metadata: { name: "kubecamp-backend-ca-prod", labels: {}, ownerReferences: owners } },
      });
    assert.equal(isLetBe("Opaque"), true);
    assert.equal(isLetBe("kubernetes.io/service-account-token"), false);
    // The garbage collector would delete it, so that another may be made.
    assert.equal(isLetBe("Opaque", [{ kind: "ConfigMap", name: "gone" }]), false);
  });

  it("lets an Ingress name the stack's own certificate alone, or one of its host's own", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("variables.certificate")) ?? {};
    const tls = (secretName: string) => [{ hosts: ["bob.test"], secretName }];
    const isLetBe = (certificate: string, name: string, before?: string, host = "bob.test") =>
      evaluated(expression, {
        variables: { written: "ingresses", certificate },
        object: { spec: { tls: tls(name), rules: [{ host }] } },
        oldObject: before === undefined ? null : { spec: { tls: tls(before) } },
      });
    assert.deepEqual([isLetBe("wild", "wild"), isLetBe("", "bob.test-tls")], [true, true]);
    assert.deepEqual([isLetBe("wild", "other"), isLetBe("", "wild"), isLetBe("-", "wild")], [false, false, false]);
    assert.equal(isLetBe("", "bob.test-tls", undefined, "other.test"), false);
    assert.deepEqual([isLetBe("-", "wild", "wild"), isLetBe("-", "wild", "other")], [true, false]);
  });

  it("has the certificate and its issuer from the settings", () => {
    const of = (tls: TlsSettings | undefined) => {
      const text = fenceText({ ...settings, route: { ...settings.route, ...(tls && { tls }) } });
      return ["certificate", "issuer"].map(
        (name) => new RegExp(`- name: ${name}\n +expression: >-\n +"(.*)"`).exec(text)?.[1],
      );
    };
    assert.deepEqual(of(undefined), ["-", "-"]);
    assert.deepEqual(of({ secretName: "wild" }), ["wild", "-"]);
    assert.deepEqual(of({ issuer: "ours" }), ["", "cert-manager.io/issuer=ours"]);
    assert.deepEqual(of({ clusterIssuer: "acme" }), ["", "cert-manager.io/cluster-issuer=acme"]);
  });

  it("lets an Ingress have the stack's issuer alone", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("variables.issuer")) ?? {};
    const isLetBe = (annotations: object, old?: object) =>
      evaluated(expression, {
        variables: { annotations, issuer: "cert-manager.io/issuer=ours", ofControllers: [] },
        object: { metadata: { annotations } },
        oldObject: old === undefined ? null : { metadata: { annotations: old } },
      });
    const theirs = { "cert-manager.io/issuer": "theirs" };
    assert.deepEqual(
      [isLetBe({ "cert-manager.io/issuer": "ours" }), isLetBe(theirs), isLetBe(theirs, theirs)],
      [true, false, true],
    );
    assert.equal(isLetBe({ "cert-manager.io/cluster-issuer": "ours" }), false);
  });

  it("lets what is beside the controller have the drivers' annotations of Services alone, or what it has already", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("variables.ofServices")) ?? {};
    const [ofServices, besideController] = ["ofServices", "besideController"].map((each) =>
      evaluated(variable(each), {}),
    );
    const isLetBe = (annotations: object, old?: object, written = "services", isHome = false) =>
      evaluated(expression, {
        variables: { written, isHome, ofServices, besideController },
        object: { metadata: { annotations } },
        oldObject: old === undefined ? null : { metadata: { annotations: old } },
      });
    const scheme = (value: string) => ({ "traefik.ingress.kubernetes.io/service.serversscheme": value });
    const snippet = { "haproxy.org/backend-config-snippet": "x" };
    const own = { "kubecamp.dev/x": "{}", "pulumi.com/skipAwait": "true" };
    assert.deepEqual(
      [own, scheme("https")].map((each) => isLetBe(each)),
      [true, true],
    );
    assert.deepEqual(
      [snippet, scheme("https\n"), scheme("a;b")].map((each) => isLetBe(each)),
      [false, false, false],
    );
    assert.deepEqual(
      [isLetBe(snippet, snippet), isLetBe(snippet, { ...snippet, "haproxy.org/backend-config-snippet": "y" })],
      [true, false],
    );
    assert.deepEqual([isLetBe(own, {}, "secrets"), isLetBe(scheme("https"), {}, "secrets")], [true, false]);
    // Members annotate theirs, and Ingresses have a rule of their own.
    assert.deepEqual([isLetBe(snippet, {}, "services", true), isLetBe(snippet, {}, "ingresses")], [true, true]);
  });

  it("lets a ServersTransport have what the driver writes alone, or what it has already", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("insecureSkipVerify")) ?? {};
    const isLetBe = (spec: object, old?: object) =>
      evaluated(expression, {
        variables: { written: "serverstransports", stack: settings.stack },
        object: { spec },
        oldObject: old === undefined ? null : { spec: old },
      });
    const route = { ...settings.route, limits: { timeoutSeconds: 60 } };
    for (const ca of [undefined, "a CA"]) {
      const backend = { protocol: "HTTPS", serverName: "{member}.test", ...(ca && { ca }) } as const;
      const { spec } = serversTransport(bob, { ...settings, route: { ...route, backend } });
      assert.equal(isLetBe(spec), true, JSON.stringify(spec));
    }
    const others = [
      { certificatesSecrets: ["wildcard"] },
      { rootCAs: [{ secret: "other" }] },
      { rootCAs: [{ configMap: "other" }] },
      { forwardingTimeouts: { dialTimeout: "0s" } },
    ];
    assert.deepEqual(
      others.map((each) => isLetBe(each)),
      [false, false, false, false],
    );
    assert.deepEqual(
      others.map((each) => isLetBe(each, each)),
      [true, true, true, true],
    );
  });

  it("lets a namespace have no older Pod Security and no class of Kubernetes' own, but what it has already", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("variables.podSecurity")) ?? {};
    const home = (version: string, classes: string) => ({
      metadata: {
        labels: { "pod-security.kubernetes.io/enforce-version": version },
        annotations: { "kubecamp.dev/priority-classes": classes },
      },
    });
    const isLetBe = (object: object, oldObject: object | null = null) =>
      evaluated(expression, { variables: { written: "namespaces", podSecurity: "v1.36" }, object, oldObject });
    const [plain, older, critical] = [home("v1.36", "batch"), home("v1.20", ""), home("v1.36", "system-node-critical")];
    assert.deepEqual([isLetBe(plain), isLetBe(older), isLetBe(critical)], [true, false, false]);
    assert.deepEqual([isLetBe(older, plain), isLetBe(critical, plain)], [false, false]);
    assert.deepEqual([isLetBe(older, older), isLetBe(critical, critical), isLetBe(plain, older)], [true, true, true]);
  });

  it("has no driver give keys to a bucket that is there", () => {
    const { expression = "" } =
      policy?.spec.validations.find((each) => each.expression.includes("existingBucketName")) ?? {};
    const isLetBe = (spec: object) =>
      evaluated(expression, { variables: { written: "bucketclaims.objectstorage.k8s.io" }, object: { spec } });
    assert.deepEqual([isLetBe({ bucketClassName: "fast" }), isLetBe({ existingBucketName: "grades" })], [true, false]);
  });

  it("judges a custom kind as none of those that are called the same", () => {
    const named = (group: string, resource: string) =>
      evaluated(variable("resource"), { request: { resource: { group, resource } } });
    assert.deepEqual(
      [named("", "services"), named("apps", "deployments"), named("serving.example.org", "services")],
      ["services", "deployments", "services.serving.example.org"],
    );
  });
});
