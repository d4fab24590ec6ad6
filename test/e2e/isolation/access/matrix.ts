import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { staffRoles } from "../../../../config/staff.ts";
import { repository } from "../../../../sandbox/paths.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { testKubernetes } from "../../support/cluster.ts";
import { customDefinition } from "../../support/definitions/custom.ts";
import { ciAudience } from "../../support/signIn/issuer.ts";
import { type Caller, callerWith, signedIn } from "../../support/signIn/signedIn.ts";
import { allowed, allowedPaths, discovered, nameOf, type Question, type Resource, rulesIn } from "./authorizer.ts";
import { letters, matrixPage, type Section } from "./matrixText.ts";

const page = join(repository, "docs/reference/access-matrix.md");
const memberTypes = { reader: { home: "view", others: "none" } };
/** One member of each type, named after it. */
const types = ["admin", "user", "guest-user", "reader"];
const nameFor = (type: string) => `an-${type}`;
/** Callers besides: a CI job of an issuer, and one with a token of the ServiceAccount for CI jobs. */
const ciJob = "CI job";
const ciToken = "CI token";
const app: Entry = {
  member: "an-app",
  type: "user",
  ci: [{ issuer: "github", repository: "org/app", ref: "refs/heads/main" }, { token: true }],
};
const homeOf = (caller: string) => (types.includes(caller) ? nameFor(caller) : app.member);
const neighbour: Entry = { member: "neighbour", type: "user" };
const members: readonly Entry[] = [...types.map((type) => ({ member: nameFor(type), type })), app, neighbour];
/** Who makes Pods for the neighbour. */
const spawner = { namespace: "default", account: "default" };
const groupOf = (role: string) => `of-${role}`;
/** With each role over the neighbour: a ServiceAccount, or a group with somebody in it who is no member. */
const staff = staffRoles.map((role) => ({
  ...(role === "spawn" ? { serviceAccount: `${spawner.namespace}/${spawner.account}` } : { group: groupOf(role) }),
  ...{ role, over: { members: [neighbour.member] } },
}));

/** Custom kinds that members may be given, and that they may also make. */
const custom = "matrix.example.org";
const objectKinds = [
  { apiVersion: `${custom}/v1`, kind: "Widget" },
  { apiVersion: `${custom}/v1`, kind: "Gadget", edit: true },
];
export const matrixDefinitions = [
  customDefinition(custom, { kind: "Widget", plural: "widgets" }),
  customDefinition(custom, { kind: "Gadget", plural: "gadgets" }),
];

/** What a stack needs for this, on a cluster with the definitions. */
export const matrixStack = { members, settings: { memberTypes, staff, ci: { audience: ciAudience }, objectKinds } };

const cluster = (group: string, resource: string): Resource => ({ group, resource, isNamespaced: false });
const namespaced = (group: string, resource: string): Resource => ({ group, resource, isNamespaced: true });

/** From 1.37 on, Kubernetes lets every ServiceAccount read them: the page has what is the same before. */
const trustBundles = cluster("certificates.k8s.io", "clustertrustbundles");

/** Not in discovery: the kubelet's API, impersonation, wildcards, and kinds that others install beside members' routes. */
const undiscovered: readonly Resource[] = [
  ...["checkpoint", "configz", "healthz", "log", "metrics", "pods", "spec", "stats"].map((each) =>
    cluster("", `nodes/${each}`),
  ),
  ...["users", "groups"].map((resource) => cluster("", resource)),
  ...["uids", "userextras/scopes"].map((resource) => cluster("authentication.k8s.io", resource)),
  cluster("certificates.k8s.io", "signers"),
  namespaced("*", "*"),
  namespaced("", "*/exec"),
  ...["gateways", "httproutes", "grpcroutes", "tlsroutes", "tcproutes", "backendtlspolicies", "referencegrants"].map(
    (resource) => namespaced("gateway.networking.k8s.io", resource),
  ),
  ...["ingressroutes", "middlewares", "serverstransports"].map((resource) => namespaced("traefik.io", resource)),
  namespaced("projectcontour.io", "httpproxies"),
  namespaced("cert-manager.io", "certificates"),
  namespaced("metrics.k8s.io", "pods"),
];

/** Verbs with a meaning for these resources only. */
const special: Readonly<Record<string, readonly string[]>> = {
  users: ["impersonate", "impersonate:user-info"],
  groups: ["impersonate"],
  serviceaccounts: ["impersonate", "impersonate:serviceaccount"],
  // Requests as another user, where impersonation is permitted for single requests only.
  secrets: ["impersonate-on:user-info:list", "impersonate-on:serviceaccount:list"],
  "uids.authentication.k8s.io": ["impersonate"],
  "userextras.authentication.k8s.io/scopes": ["impersonate"],
  "roles.rbac.authorization.k8s.io": ["bind", "escalate"],
  "clusterroles.rbac.authorization.k8s.io": ["bind", "escalate"],
  "signers.certificates.k8s.io": ["approve", "attest", "sign"],
  // The verb `*` includes every verb.
  "*.*": ["*"],
};

const verbsOf = (resource: Resource) => [...Object.keys(letters), ...(special[nameOf(resource)] ?? [])];

/** Such as `create pods/exec`. */
const textOf = ({ resource, verb }: Question) => `${verb} ${nameOf(resource)}`;

export function matrix(stack: TestStack): void {
  describe("what RBAC answers members of each type", () => {
    const callers = new Map<string, Caller>();
    let resources: readonly Resource[] = [];
    let sections: readonly Section[] = [];
    const staffCallers = new Map<string, Caller>();
    /** The neighbour's namespace, with staff. */
    let staffSection: Section = { title: "", allowed: {} };

    before(async () => {
      for (const type of types) {
        callers.set(type, await signedIn(stack.sandbox, { sub: nameFor(type) }));
      }
      callers.set(
        ciJob,
        await signedIn(stack.sandbox, {
          sub: "repo:org/app:ref:refs/heads/main",
          iss: "https://token.actions.githubusercontent.com",
          aud: ciAudience,
          event_name: "push",
          ref: "refs/heads/main",
        }),
      );
      const token = await stack.sandbox.token("kubecamp-ci", app.member);
      callers.set(ciToken, callerWith(stack.sandbox, token));
      for (const role of staffRoles) {
        const caller =
          role === "spawn"
            ? callerWith(stack.sandbox, await stack.sandbox.token(spawner.account, spawner.namespace))
            : await signedIn(stack.sandbox, { sub: `with-${role}`, groups: [groupOf(role)] });
        staffCallers.set(role, caller);
      }
      const found = await discovered(stack.sandbox.read);
      resources = [...found.filter((each) => nameOf(each) !== nameOf(trustBundles)), ...undiscovered];
      sections = [
        await section("At home", homeOf),
        await section("In another member's namespace", () => neighbour.member),
        await section("In kube-system", () => "kube-system"),
        await section("In ingress-nginx", () => "ingress-nginx"),
        await section("In the whole cluster", () => undefined),
      ];
      staffSection = await section(
        "Staff, in the namespace of a user whom they are over",
        () => neighbour.member,
        staffCallers,
      );
    });

    /** Asks about cluster-scoped resources in a namespace too: a Role there may name the namespace itself. */
    async function section(
      title: string,
      place: (type: string) => string | undefined,
      asking: ReadonlyMap<string, Caller> = callers,
    ): Promise<Section> {
      const asked = (type: string) => {
        const namespace = place(type);
        return resources
          .filter(
            ({ isNamespaced, resource, group }) => isNamespaced || namespace === undefined || isHome(group, resource),
          )
          .flatMap((resource) =>
            verbsOf(resource).map((verb) => ({ resource, verb, ...(namespace === undefined ? {} : { namespace }) })),
          );
      };
      const answers = await Promise.all(
        [...asking].map(async ([type, caller]) => [type, await allowed(caller, asked(type))] as const),
      );
      return { title, allowed: Object.fromEntries(answers) };
    }

    it("gives each type of member the rights in docs/reference/access-matrix.md, and no other", async () => {
      const { paths } = JSON.parse(await stack.sandbox.read("/")) as { paths: string[] };
      // Paths below /api and /apis belong to resources.
      const own = ["/", "/logs", ...paths.filter((path) => !/^\/apis?\/./.test(path))];
      const readable = await Promise.all(
        [...callers].map(async ([type, caller]) => {
          assert.deepEqual(await allowedPaths(caller, own, "post"), [], type);
          return [type, await allowedPaths(caller, [...new Set(own)], "get")] as const;
        }),
      );
      const text = matrixPage([...sections, staffSection], Object.fromEntries(readable));
      if (process.env.KUBECAMP_WRITE_MATRIX === "1") {
        await writeFile(page, text);
      }
      assert.equal(text, await readFile(page, "utf8"));
    });

    it("lets nobody but ServiceAccounts read ClusterTrustBundles, and those from Kubernetes 1.37 on", async () => {
      const questions = verbsOf(trustBundles).map((verb) => ({ resource: trustBundles, verb }));
      const all = [...callers, ...staffCallers];
      const answers = all.map(
        async ([type, caller]) => [type, (await allowed(caller, questions)).map(textOf)] as const,
      );
      const read = ["get", "list", "watch"].map((verb) => `${verb} ${nameOf(trustBundles)}`);
      assert.deepEqual(
        (await Promise.all(answers)).filter(([, texts]) => texts.length > 0),
        testKubernetes === "1.36" ? [] : [ciToken, "spawn"].map((serviceAccount) => [serviceAccount, read]),
      );
    });

    it("gives nobody a right to a single name, but to one ServiceAccount's tokens with `token`", async () => {
      for (const [type, caller] of callers) {
        for (const namespace of [homeOf(type), neighbour.member, "kube-system", "ingress-nginx"]) {
          const rules = await rulesIn(caller, namespace);
          assert.notEqual(rules.length, 0);
          assert.deepEqual(
            rules.filter(({ resourceNames = [] }) => resourceNames.length > 0),
            [],
            `${type} in ${namespace}`,
          );
        }
      }
      const own = await rulesIn(await signedIn(stack.sandbox, { sub: app.member }), app.member);
      assert.deepEqual(
        own.filter(({ resourceNames = [] }) => resourceNames.length > 0),
        [
          {
            verbs: ["create"],
            apiGroups: [""],
            resources: ["serviceaccounts/token"],
            resourceNames: ["kubecamp-ci"],
          },
        ],
      );
    });

    // The page is generated anew when roles change; these rules hold all the same.
    it("lets nobody write their guard rails or impersonate somebody else", () => {
      const guards =
        /^(bindings|endpoints|events|limitranges|namespaces|nodes|persistentvolumes|podtemplates|resourcequotas|serviceaccounts|services\/(proxy|status)|pods\/(binding|proxy|status)|users|groups|.*\.(admissionregistration|apiextensions|apiregistration|authentication|certificates|coordination|discovery|events|gateway\.networking|networking|node|policy|rbac\.authorization|scheduling|storage)\.k8s\.io)(\/|$)/;
      const reviews = /^create self/;
      const written = [...sections, staffSection].flatMap(({ title, allowed: answers }) =>
        Object.entries(answers).flatMap(([type, all]) =>
          all
            .filter(({ resource, verb }) => guards.test(nameOf(resource)) && !["get", "list", "watch"].includes(verb))
            .map((question) => textOf(question))
            .filter((text) => !reviews.test(text))
            .map((text) => `${title}: ${type} may ${text}`),
        ),
      );
      assert.deepEqual(written, []);
    });

    it("gives staff no rights in namespaces that they are not over", async () => {
      for (const [role, caller] of staffCallers) {
        for (const place of [nameFor("user"), "kube-system", undefined]) {
          const { allowed: answers } = await section("", () => place, new Map([[role, caller]]));
          const texts = (answers[role] ?? []).map(textOf).filter((text) => !text.startsWith("create self"));
          assert.deepEqual(texts, [], `${role} in ${place}`);
        }
      }
    });

    it("lets members only look elsewhere, and never at logs, ConfigMaps and Secrets", () => {
      const seen = sections.slice(1).flatMap(({ title, allowed: answers }) =>
        Object.entries(answers).flatMap(([type, all]) =>
          all
            .filter(
              ({ resource, verb }) =>
                !["get", "list", "watch"].includes(verb) ||
                ["configmaps", "secrets", "events"].includes(resource.resource) ||
                resource.resource.includes("/"),
            )
            .map(textOf)
            .filter((text) => !text.startsWith("create self"))
            .map((text) => `${title}: ${type} may ${text}`),
        ),
      );
      assert.deepEqual(seen, []);
    });
  });

  /** Whether it is the Namespace itself, which a Role inside it may name. */
  function isHome(group: string, resource: string): boolean {
    return group === "" && /^namespaces(\/|$)/.test(resource);
  }
}
