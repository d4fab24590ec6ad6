import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { Standing } from "../../../../config/member/member.ts";
import { ingressControllers } from "../../../../config/route/controllers.ts";
import { memberRows } from "../../../../plan/rows/memberRows.ts";
import { sharedRows } from "../../../../plan/rows/sharedRows.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { anyStack, cosi, type DriverName, fullStack, objectsOf, parsed } from "./configurations.ts";
import { brokenIn, invariants } from "./invariants.ts";
import { type Judged, type JudgedStack, judged } from "./judged.ts";

const drivers: readonly DriverName[] = [...ingressControllers, "traefik at home", "contour at home", "gateway"];

function full(driver: DriverName, more: object = {}): JudgedStack {
  const of = parsed({ ...fullStack(driver), ...more });
  assert.ok("configuration" in of, JSON.stringify(of));
  return objectsOf(of.configuration);
}

/** A change to an object; undefined takes it out. */
type Change = (object: Judged) => Judged | undefined;

/** Another value at a path, whose steps are between spaces; undefined takes it out. */
const set =
  (path: string, value: unknown): Change =>
  (object) => {
    const args = structuredClone(object.args);
    const steps = path.split(" ");
    const last = steps.pop() ?? "";
    const place = steps.reduce((map, step) => Reflect.get(map, step) as object, args);
    assert.ok(typeof place === "object", path);
    Reflect.set(place, last, value);
    return judged(object, JSON.parse(JSON.stringify(args)));
  };
const none: Change = () => undefined;
const early: Change = (object) => ({ ...object, after: () => new Set() });
const standing =
  (value: Standing): Change =>
  ({ member, ...object }) => ({ ...object, member: member && { ...member, standing: value } });

const pod = "spec template spec";
const own = "metadata labels";
const enforce = `${own} pod-security.kubernetes.io/enforce`;
const annotation = "metadata annotations";
const authUrl = `${annotation} nginx.ingress.kubernetes.io/auth-url`;
const middlewares = `${annotation} traefik.ingress.kubernetes.io/router.middlewares`;
const path = "spec rules 0 http paths 0";
const anyone = { namespaceSelector: {} };
const admin = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
const somebody = { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:authenticated" };
const rule = (verb: string, resource: string, group = "") => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [verb],
});

/** Objects with a mistake, and the invariants that it breaks. */
const mistakes: readonly (readonly [object: string, change: Change, broken: string, driver?: DriverName])[] = [
  ["ann/isolation", set("metadata namespace", "kube-system"), "own-places"],
  ["ann/isolation", set(`${own} kubecamp.dev/member`, "deb"), "own-places"],
  ["ann/isolation", set(`${own} app.kubernetes.io/instance`, "ann"), "own-places"],
  ["ann/role/edit", set("metadata name", "kubecamp:ci-token"), "guards-first own-places"],
  ["ann/namespace", set(enforce, "privileged"), "pod-security"],
  ["ann/namespace", set(`${enforce}-version`, "latest"), "pod-security"],
  ["ann/service-account", set("automountServiceAccountToken", true), "no-tokens"],
  ["ann/ci-account", set("metadata name", "deploy"), "no-tokens"],
  ["ann-svc/starter/deployment", set(`${pod} hostNetwork`, true), "own-pods"],
  ["ann-svc/starter/deployment", set(`${pod} volumes 0`, { name: "x", hostPath: { path: "/" } }), "own-pods"],
  ["ann-svc/starter/deployment", set(`${pod} containers 0 image`, "evil/miner"), "own-pods"],
  ["ann-svc/starter/deployment", set(`${pod} containers 0 resources limits`, undefined), "own-pods"],
  ["strip-ann/starter/deployment", set(`${pod} runtimeClassName`, "runc"), "own-pods"],
  ["ann/object/configmap/tutor-ann", set(`${own} kubecamp.dev/object`, undefined), "given-objects"],
  ["ann/bucket/data/secret", set("metadata name", "tls"), "given-objects"],
  ["ann/quota", none, "guards-first quota"],
  ["ann/quota", set("spec hard pods", "1000"), "quota"],
  ["ann/quota", set("spec scopes", ["BestEffort"]), "quota"],
  ["deb/quota", set("spec hard count/jobs.batch", "1"), "quota"],
  ["deb-ann/quota", set("spec hard requests.nvidia.com/gpu", "2"), "quota"],
  ["ann/isolation", none, "guards-first isolation"],
  ["ann/isolation", set("spec podSelector", { matchLabels: { app: "web" } }), "isolation"],
  ["ann/isolation", set("spec policyTypes", ["Ingress"]), "isolation"],
  ["ann/isolation", set("spec ingress 0 from 0", anyone), "isolation"],
  ["ann/isolation", set("spec egress 1 ports", undefined), "isolation"],
  ["ann/role/edit", set("rules 0 verbs", ["*"]), "no-wildcards"],
  ["shared/access/view", set("aggregationRule", {}), "no-wildcards"],
  ["ann/role/edit", set("rules 0", rule("escalate", "pods")), "no-powers"],
  ["ann/ci-token-role", set("rules 0 resourceNames", undefined), "no-powers"],
  ["shared/access/view", set("rules 0", rule("get", "secrets")), "others-unread"],
  ["ann/staff-role/assist", set("rules 0", rule("get", "secrets")), "others-unread"],
  ["ann/binding/edit", set("roleRef", admin), "guards-first own-roles"],
  ["ann/staff/assist", set("roleRef name", "kubecamp-edit"), "own-roles"],
  ["ann/binding/edit", set("subjects 0", somebody), "own-subjects"],
  ["ann/binding/edit", set("subjects 0 name", "oidc:deb"), "own-subjects"],
  ["ann/limits", none, "guards-first"],
  ["ann/binding/edit", early, "guards-first"],
  ["shared/access/admission/images/binding", none, "guards-first"],
  ["ann/binding/edit", standing("suspended"), "closed-doors"],
  ["ann/route/ingress", standing("asleep"), "closed-doors"],
  ["shared/access/admission/pods", set("spec failurePolicy", "Ignore"), "policies-in-force"],
  ["shared/access/admission/pods", set("spec matchConstraints resourceRules 0 scope", "*"), "policies-in-force"],
  ["shared/access/admission/pods/binding", set("spec validationActions", ["Audit"]), "policies-in-force"],
  ["shared/access/admission/pods/binding", set("spec matchResources objectSelector", anyone), "policies-in-force"],
  [
    "shared/access/admission/mutating/fill-in/binding",
    set("spec matchResources", { namespaceSelector: { matchLabels: {} } }),
    "policies-in-force",
  ],
  ["ann/route/ingress", set("spec rules 0 host", undefined), "paths-apart"],
  ["ann/route/ingress", set("spec rules 0 http", undefined), "own-backend paths-apart"],
  ["ann/route/ingress", set(`${path} path`, "/deb"), "paths-apart"],
  ["ann/route/http", set("spec hostnames", undefined), "paths-apart", "gateway"],
  ["ann/route/http", set("spec rules 0 matches 0 path type", "RegularExpression"), "paths-apart", "gateway"],
  ["ann/route/ingress", set(authUrl, undefined), "login-first"],
  ["ann/route/ingress", set(authUrl, "https://elsewhere.example.org/oauth2/auth?allowed_groups=staff"), "login-first"],
  ["ann/route/ingress", set(authUrl, "http://proxy.login.svc.cluster.local:4180/oauth2/auth"), "login-first"],
  ["ann/route/ingress", set(middlewares, "traefik-401-ann@kubernetescrd"), "login-first", "traefik"],
  ["ann/route/login", set("spec forwardAuth address", "https://elsewhere.example.org/"), "login-first", "traefik"],
  ["ann/route/ingress", set(`${path} backend service name`, "deb-svc"), "own-backend"],
  ["ann/route/ingress", set("spec defaultBackend", { service: { name: "ann-svc" } }), "own-backend"],
  ["ann/route/ingress", set(`${annotation} nginx.ingress.kubernetes.io/server-alias`, "x.org"), "own-backend"],
  ["ann/route/service", set("spec externalName", "deb-svc.deb.svc.cluster.local"), "own-backend"],
  ["ann/route/middleware", set("spec redirectRegex", { regex: ".*" }), "own-backend", "traefik"],
  ["ann/route/http", set("spec rules 0 backendRefs 0 namespace", "deb"), "own-backend", "gateway"],
  ["ann/route/http", set("spec parentRefs 0 name", "deb"), "own-backend", "gateway"],
  ["ann/route/http", set("spec rules length", 1), "login-first", "gateway"],
  ["ann/route/http", set("spec rules 1 matches 2", {}), "login-first paths-apart", "gateway"],
  ["ann/route/http", early, "login-first", "gateway"],
  ["ann/route/listeners", set("metadata namespace", "deb"), "own-backend own-places", "gateway"],
  ["ann/route/listeners", set("spec listeners 0 hostname", "deb.camp.example.org"), "own-backend", "gateway"],
  ["ann/route/listeners", set("spec listeners 0 allowedRoutes namespaces", { from: "All" }), "own-backend", "gateway"],
  ["ann/route/http-login", set("spec targetRefs 0 name", "deb"), "own-backend", "gateway"],
  ["ann/route/http-login", set("spec extAuth failOpen", true), "own-backend", "gateway"],
  [
    "ann/route/http-login",
    set("spec extAuth http pathOverride", "/?rd=https://ann.camp.example.org/"),
    "login-first",
    "gateway",
  ],
  ["ann/route/http-login", set("spec extAuth http backendRefs 0 namespace", "deb"), "login-first", "gateway"],
];

describe("invariants", () => {
  for (const driver of drivers) {
    it(`every configuration with routes of ${driver} keeps all invariants`, () => {
      fc.assert(
        fc.property(anyStack(driver), (raw) => {
          const of = parsed(raw);
          fc.pre("configuration" in of);
          const [first] = brokenIn(objectsOf(of.configuration));
          assert.equal(first, undefined);
        }),
        // The object says enough, and a smaller stack with it takes a minute to find.
        { numRuns: 10, examples: [[fullStack(driver)]], endOnFailure: true },
      );
    });
  }

  it("the full stacks have every kind of object that there is", () => {
    const all = [...drivers.map((driver) => full(driver)), full("haproxy", { storage: cosi })];
    const parts = new Set(all.flatMap(({ objects }) => objects.map(({ part }) => part)));
    const patterns = [...sharedRows, ...memberRows].map(({ part }) => part);
    const isThere = (pattern: string) => {
      const [start = "", end = ""] = pattern.split("*");
      return [...parts].some((part) => part.startsWith(start) && part.endsWith(end));
    };
    const missing = patterns.filter((pattern) => !isThere(pattern));
    assert.deepEqual(missing, []);
  });

  const stacks = new Map(drivers.map((driver) => [driver, full(driver)]));

  it("each mistake breaks the invariants beside it, and no other", () => {
    const nameOf = ({ member, part }: Judged) => `${member?.name ?? "shared"}/${part}`;
    const found = mistakes.map(([name, change, broken, driver = "ingress-nginx"]) => {
      const stack = stacks.get(driver);
      const object = stack?.objects.find((each) => nameOf(each) === name);
      assert.ok(stack && object, name);
      const objects = stack.objects.flatMap((each) => (each === object ? (change(each) ?? []) : [each]));
      const touched = objects.filter(
        ({ member }) => object.member === undefined || member?.name === object.member.name,
      );
      const names = brokenIn({ ...stack, objects }, touched).map(({ invariant }) => invariant);
      return [name, [...new Set(names)].sort().join(" "), broken];
    });
    const wrong = found.filter(([, is, wanted]) => is !== wanted);
    assert.deepEqual(wrong, []);
  });

  it("each invariant has a mistake that breaks it, and a row in docs/reference/invariants.md", async () => {
    const names = Object.keys(invariants).sort();
    const page = await readFile(join(repository, "docs/reference/invariants.md"), "utf8");
    assert.deepEqual([...new Set(mistakes.flatMap(([, , broken]) => broken.split(" ")))].sort(), names);
    assert.deepEqual([...page.matchAll(/^\| `([-a-z]+)` \|/gm)].map(([, name]) => name).sort(), names);
  });
});
