import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { serversTransport } from "../../../../objects/route/drivers/traefik.ts";
import { fenceText } from "../../../../watch/manifests/fence.ts";
import { evaluated } from "../../cel.ts";
import { bob, configuration, settings } from "../../samples.ts";

interface Fence {
  readonly spec: {
    readonly variables: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly { readonly expression: string }[];
  };
}

const kind = "Guard.v1.example.org:resourcequotas" as const;
const [policy = assert.fail()] = parseAllDocuments(
  fenceText({ ...settings, objectKinds: [{ kind, isEditable: true }] }),
).map((document) => document.toJS() as Fence);

const variable = (name: string, given: Readonly<Record<string, unknown>> = {}) =>
  evaluated(policy.spec.variables.find((each) => each.name === name)?.expression ?? "", given);

/** Whether the rule with such words lets an object be written, in the place of another or none. */
const isLet = (words: string, variables: object, object: object, oldObject: object | null = null) => {
  const { expression = "" } = policy.spec.validations.find((each) => each.expression.includes(words)) ?? {};
  return evaluated(expression, { variables, object, oldObject });
};
const annotated = (annotations: object) => ({ metadata: { annotations } });

describe("the fence of kubecamp watch", () => {
  it("compares resources in a Role with their groups, as a custom kind may be called alike", () => {
    const writable = variable("writable");
    for (const [apiGroups, resources, expected] of [
      [["example.org"], ["resourcequotas"], true],
      [[""], ["pods"], true],
      [["apps"], ["deployments"], true],
      [[""], ["resourcequotas"], false],
      [["", "example.org"], ["pods", "resourcequotas"], false],
      [["example.org"], ["pods"], false],
      [["apps"], ["pods"], false],
    ] as const) {
      const rules = [{ apiGroups, resources, verbs: ["create"] }];
      const role = { metadata: { name: "kubecamp-edit" } };
      assert.equal(
        isLet("writable", { written: "roles", rules, writable }, role),
        expected,
        `${apiGroups} ${resources}`,
      );
    }
    const named = (group: string, resource: string) =>
      variable("resource", { request: { resource: { group, resource } } });
    assert.deepEqual(
      [named("", "services"), named("apps", "deployments"), named("serving.example.org", "services")],
      ["services", "deployments", "services.serving.example.org"],
    );
  });

  it("lets the CA's Secret beside the controller be no token of a ServiceAccount", () => {
    const variables = { written: "secrets", isHome: false, isGiven: false, stack: "prod" };
    const isLetBe = (type: string, ownerReferences: readonly object[] = []) =>
      isLet("kubecamp-backend-ca-", variables, {
        type,
        metadata: { name: "kubecamp-backend-ca-prod", labels: {}, ownerReferences },
      });
    assert.deepEqual([isLetBe("Opaque"), isLetBe("kubernetes.io/service-account-token")], [true, false]);
    // The garbage collector would delete it, so that another may be made.
    assert.equal(isLetBe("Opaque", [{ kind: "ConfigMap", name: "gone" }]), false);
  });

  it("lets an Ingress name the stack's own certificate alone, or one of its host's own", () => {
    const spec = (secretName: string, host = "bob.test") => ({
      spec: { tls: [{ hosts: ["bob.test"], secretName }], rules: [{ host }] },
    });
    for (const [certificates, now, before, expected] of [
      [["wild"], spec("wild"), null, true],
      [["wild", ""], spec("bob.test-tls"), null, true],
      [["kubecamp-route-tls"], spec("kubecamp-route-tls"), null, true],
      // Its member reads the key of whatever host cert-manager is asked for.
      [["kubecamp-route-tls"], spec("kubecamp-route-tls", "other.test"), null, false],
      [["wild"], spec("other"), null, false],
      [[""], spec("wild"), null, false],
      [[], spec("wild"), null, false],
      [[""], spec("bob.test-tls", "other.test"), null, false],
      [[], spec("wild"), spec("wild"), true],
      [[], spec("wild"), spec("other"), false],
    ] as const) {
      const what = JSON.stringify([certificates, now, before]);
      const variables = { written: "ingresses", certificates };
      assert.equal(isLet("variables.certificates", variables, now, before), expected, what);
    }
  });

  it("takes the certificate and issuer that an Ingress may name from the settings", () => {
    const of = (route: object) => {
      const host = "{member}.test";
      const text = fenceText(
        configuration({ members: [], route: { host, controller: "ingress-nginx", ...route } }).settings,
      );
      return ["certificates", "ofCertificates"].map((name) =>
        JSON.parse(new RegExp(`- name: ${name}\n +expression: >-\n +(.*)`).exec(text)?.[1] ?? ""),
      );
    };
    assert.deepEqual(of({}), [[], []]);
    assert.deepEqual(of({ tls: { secretName: "wild" } }), [["wild"], []]);
    assert.deepEqual(of({ tls: { issuer: "ours" } }), [[""], ["cert-manager.io/issuer=ours"]]);
    const tls = { clusterIssuer: "acme" };
    assert.deepEqual(of({ tls }), [[""], ["cert-manager.io/cluster-issuer=acme"]]);
    // At home, cert-manager writes a Secret of one name.
    const also = { controller: "traefik", tls };
    assert.deepEqual(of({ tls: { secretName: "wild" }, also }), [
      ["wild", "kubecamp-route-tls"],
      ["cert-manager.io/cluster-issuer=acme"],
    ]);
  });

  it("lets an Ingress have the stack's issuer alone", () => {
    const isLetBe = (annotations: object, old?: object) => {
      const variables = { annotations, ofCertificates: ["cert-manager.io/issuer=ours"], ofControllers: [] };
      return isLet("variables.ofCertificates", variables, annotated(annotations), old && annotated(old));
    };
    const theirs = { "cert-manager.io/issuer": "theirs" };
    assert.deepEqual(
      [isLetBe({ "cert-manager.io/issuer": "ours" }), isLetBe(theirs), isLetBe(theirs, theirs)],
      [true, false, true],
    );
    assert.equal(isLetBe({ "cert-manager.io/cluster-issuer": "ours" }), false);
  });

  it("lets objects beside the controller have the drivers' annotations alone, or their old ones", () => {
    const lists = { ofServices: variable("ofServices"), besideController: variable("besideController") };
    const scheme = (value: string) => ({ "traefik.ingress.kubernetes.io/service.serversscheme": value });
    const snippet = { "haproxy.org/backend-config-snippet": "x" };
    const own = { "kubecamp.dev/x": "{}", "pulumi.com/skipAwait": "true" };
    for (const [annotations, old, written, isHome, expected] of [
      [own, null, "services", false, true],
      [scheme("https"), null, "services", false, true],
      [snippet, null, "services", false, false],
      [scheme("https\n"), null, "services", false, false],
      [scheme("a;b"), null, "services", false, false],
      [snippet, snippet, "services", false, true],
      [snippet, { "haproxy.org/backend-config-snippet": "y" }, "services", false, false],
      [own, {}, "secrets", false, true],
      [scheme("https"), {}, "secrets", false, false],
      // Members annotate theirs, and Ingresses have a rule of their own.
      [snippet, {}, "services", true, true],
      [snippet, {}, "ingresses", false, true],
    ] as const) {
      const variables = { ...lists, written, isHome };
      const before = old === null ? null : annotated(old);
      const what = JSON.stringify([annotations, old, written, isHome]);
      assert.equal(isLet("variables.ofServices", variables, annotated(annotations), before), expected, what);
    }
  });

  it("lets a ServersTransport have what the driver writes alone, or what is there already", () => {
    const isLetBe = (spec: object, old?: object) =>
      isLet(
        "insecureSkipVerify",
        { written: "serverstransports", stack: settings.stack },
        { spec },
        old && { spec: old },
      );
    const route = { ...settings.route, limits: { timeoutSeconds: 60 } };
    for (const ca of [undefined, "a CA"]) {
      const backend = { protocol: "HTTPS", serverName: "{member}.test", ...(ca && { ca }) } as const;
      const { spec } = serversTransport(bob, { ...settings, route: { ...route, backend } });
      assert.equal(isLetBe(spec), true, JSON.stringify(spec));
    }
    for (const other of [
      { certificatesSecrets: ["wildcard"] },
      { rootCAs: [{ secret: "other" }] },
      { rootCAs: [{ configMap: "other" }] },
      { forwardingTimeouts: { dialTimeout: "0s" } },
    ]) {
      assert.deepEqual([isLetBe(other), isLetBe(other, other)], [false, true], JSON.stringify(other));
    }
  });

  it("lets a namespace have no older Pod Security and no critical class, but those there already", () => {
    const home = (version: string, classes: string) => ({
      metadata: {
        labels: { "pod-security.kubernetes.io/enforce-version": version },
        annotations: { "kubecamp.dev/priority-classes": classes },
      },
    });
    const isLetBe = (object: object, old?: object) =>
      isLet("variables.podSecurity", { written: "namespaces", podSecurity: "v1.36" }, object, old);
    const [plain, older, critical] = [home("v1.36", "batch"), home("v1.20", ""), home("v1.36", "system-node-critical")];
    assert.deepEqual([isLetBe(plain), isLetBe(older), isLetBe(critical)], [true, false, false]);
    assert.deepEqual([isLetBe(older, plain), isLetBe(critical, plain)], [false, false]);
    assert.deepEqual([isLetBe(older, older), isLetBe(critical, critical), isLetBe(plain, older)], [true, true, true]);
  });

  it("refuses a BucketClaim for an existing bucket", () => {
    const isLetBe = (spec: object) =>
      isLet("existingBucketName", { written: "bucketclaims.objectstorage.k8s.io" }, { spec });
    assert.deepEqual([isLetBe({ bucketClassName: "fast" }), isLetBe({ existingBucketName: "grades" })], [true, false]);
  });
});
