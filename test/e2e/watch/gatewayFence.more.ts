import assert from "node:assert/strict";
import type { Settings } from "../../../config/settings.ts";
import { routeObjects } from "../../unit/routeObjects.ts";
import { gatewaySettings, member, routeAt } from "../../unit/samples.ts";
import { until } from "../program/workloads.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { installEnvoyGateway } from "../support/definitions/envoyGateway.ts";
import { installGatewayApi } from "../support/definitions/gatewayApi.ts";
import { annotated, type Made, named, useFences, withSpec } from "./fenced.ts";

const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
const namespace = "gateways";
const ned = member({ member: "ned", type: "user", subject: "ned+x@example.org" });

const settingsWith = (route: object) =>
  gatewaySettings({ host: "{member}.apps.example.org", gateway: { name: "public" }, namespace, ...route });
const asking = (allow: unknown) => settingsWith({ login: { kind: "oauth2-proxy", url, allow }, rewrite: "strip" });

/** Stacks at one Gateway, each with a fence and an identity of its own. */
const stacks: Readonly<Record<string, Settings>> = {
  plain: settingsWith({}),
  issued: settingsWith({ tls: { clusterIssuer: "camp" } }),
  wildcard: settingsWith({ tls: { secretName: "wildcard" } }),
  members: asking("members"),
  groups: asking(["Lab Ω", "cs101"]),
  own: asking("member"),
};

/** Objects of ned's route, on a host that leaves a path to strip. */
const objectsOf = (stack: string) =>
  routeObjects(ned, routeAt("apps.example.org", "/ned"), stacks[stack] ?? assert.fail(stack)).map(
    ({ part: _, ...object }) => object,
  ) as unknown as Made[];
const partOf = (stack: string, kind: string) =>
  objectsOf(stack).find((made) => made.kind === kind) ?? assert.fail(kind);

interface PolicySpec {
  readonly targetRefs: readonly object[];
  readonly extAuth: { readonly http: { readonly backendRefs: readonly object[] } };
}
interface RouteSpec {
  readonly rules: readonly [{ readonly backendRefs: readonly object[]; readonly matches: readonly object[] }, object];
}
interface SetSpec {
  readonly listeners: readonly [{ readonly tls: object }];
}

const policy = (stack: string) => partOf(stack, "SecurityPolicy");
const withLogin = (stack: string, http: object, extAuth: object = {}) => {
  const made = policy(stack);
  const spec = made.spec as unknown as PolicySpec;
  return withSpec(made, { ...spec, extAuth: { ...spec.extAuth, ...extAuth, http: { ...spec.extAuth.http, ...http } } });
};
const withPolicy = (more: object) => withSpec(policy("members"), { ...policy("members").spec, ...more });
const askedAt = (stack: string, pathOverride: string) => withLogin(stack, { pathOverride });
const askedOf = (service: object) => {
  const { extAuth } = policy("members").spec as unknown as PolicySpec;
  return withLogin("members", { backendRefs: [{ ...extAuth.http.backendRefs[0], ...service }] });
};

const door = partOf("members", "HTTPRoute");
const { rules } = door.spec as unknown as RouteSpec;
const withRules = (...others: readonly object[]) => withSpec(door, { ...door.spec, rules: others });
const withFirst = (more: object) => withRules({ ...rules[0], ...more }, rules[1]);
const asHeader = (name: string) => ({
  type: "RequestHeaderModifier",
  requestHeaderModifier: { set: [{ name, value: "sue@example.org" }] },
});

const set = partOf("issued", "ListenerSet");
const [listener] = (set.spec as unknown as SetSpec).listeners;
const withListener = (more: object) => withSpec(set, { ...set.spec, listeners: [{ ...listener, ...more }] });
const secret = (name: string, more: object = {}) =>
  withListener({
    tls: { mode: "Terminate", certificateRefs: [{ group: "", kind: "Secret", name, ...more }] },
  });

const back = "/?rd=https://apps.example.org/ned/";
const login = /may have a SecurityPolicy ask the stack's own login alone, for those whom it lets in/;
const without = /may have no path without the stack's login/;
const host = /may have a ListenerSet give a member's host the stack's own certificate alone/;

const attempts: readonly (readonly [string, string, Made, RegExp])[] = [
  ["asks at the visitor's own path", "members", withLogin("members", { pathOverride: undefined, path: "/" }), login],
  ["asks the proxy's own health", "members", askedAt("members", "/ping"), login],
  ["asks a page below the proxy's first", "members", askedAt("members", "/oauth2/sign_in?rd=https://x/"), login],
  ["comes back to no address", "members", askedAt("members", "/?rd=//evil.org/"), login],
  ["lets everyone in", "groups", askedAt("groups", back), login],
  [
    "lets one more group in",
    "groups",
    askedAt("groups", `${back}&allowed_groups=Lab%20%CE%A9&allowed_groups=x`),
    login,
  ],
  ["lets a group in", "own", askedAt("own", `${back}&allowed_emails=a@b.org&allowed_groups=evil`), login],
  ["lets two people in", "own", askedAt("own", `${back}&allowed_emails=a@b.org%2Ce@evil.org`), login],
  ["lets everyone in after a #", "own", askedAt("own", `${back}#&allowed_emails=a@b.org`), login],
  ["asks a Service of another name", "members", askedOf({ name: "mine" }), login],
  ["asks a Service elsewhere", "members", askedOf({ namespace: "ned" }), login],
  ["asks at another port", "members", askedOf({ port: 80 }), login],
  ["asks something that is no Service", "members", askedOf({ kind: "Backend", group: "gateway.envoyproxy.io" }), login],
  ["asks nobody", "members", withLogin("members", { backendRefs: [] }), login],
  ["opens where the login is down", "members", withLogin("members", {}, { failOpen: true }), login],
  ["chooses the route again", "members", withLogin("members", {}, { recomputeRoute: true }), login],
  ["passes the token on", "members", withLogin("members", { headersToBackend: ["Authorization"] }), login],
  ["asks for another route", "members", withPolicy({ targetRefs: [{ ...targetOf(), name: "uma" }] }), login],
  [
    "asks for a Gateway too",
    "members",
    withPolicy({ targetRefs: [targetOf(), { ...targetOf(), kind: "Gateway" }] }),
    login,
  ],
  ["asks for one rule", "members", withPolicy({ targetRefs: [{ ...targetOf(), sectionName: "x" }] }), login],
  ["lets in besides", "members", withPolicy({ authorization: { defaultAction: "Allow" } }), login],
  ["asks without a login", "plain", policy("members"), login],
  ["takes a visitor's own headers", "members", withRules(rules[0]), without],
  ["takes one of them", "members", withRules(rules[0], { matches: matchesOf().slice(1) }), without],
  ["leads them somewhere", "members", withRules(rules[0], { ...rules[1], backendRefs: rules[0].backendRefs }), without],
  ["has a rule of its own", "members", withRules(...rules, { backendRefs: rules[0].backendRefs }), without],
  ["matches more than those", "members", withFirst({ matches: [{ ...rules[0].matches[0], method: "GET" }] }), without],
  ["has no label", "members", { ...door, metadata: { ...door.metadata, labels: {} } }, without],
  ["says who signed in itself", "members", withFirst({ filters: [asHeader("X-Auth-Request-Email")] }), without],
  [
    "says so to the Service",
    "members",
    withFirst({ backendRefs: [{ ...rules[0].backendRefs[0], filters: [asHeader("X-Auth-Request-User")] }] }),
    without,
  ],
  ["takes any certificate", "issued", secret("wildcard"), host],
  ["takes one of another host", "wildcard", secret("apps.example.org-tls"), host],
  ["takes one from elsewhere", "issued", secret("apps.example.org-tls", { namespace: "kube-system" }), host],
  ["has another issuer", "issued", annotated(set, { "cert-manager.io/cluster-issuer": "other" }), host],
  ["has an issuer of another kind", "issued", annotated(set, { "cert-manager.io/issuer-kind": "Mine" }), host],
  ["is at another Gateway", "issued", withSpec(set, { ...set.spec, parentRef: { name: "inner" } }), host],
  ["lets all attach", "issued", withListener({ allowedRoutes: { namespaces: { from: "All" } } }), host],
  ["takes plain requests", "issued", withListener({ protocol: "HTTP", port: 80, tls: undefined }), host],
  [
    "has one more listener",
    "issued",
    withSpec(set, { ...set.spec, listeners: [listener, { ...listener, name: "x", hostname: "x.org" }] }),
    host,
  ],
  ["is called as another", "issued", named(set, "mine"), host],
  ["is there without certificates", "plain", set, host],
  [
    "is somewhere else",
    "issued",
    { ...set, metadata: { ...set.metadata, namespace: "default" } },
    /may not touch listenersets/,
  ],
];

function targetOf(): object {
  return (policy("members").spec as unknown as PolicySpec).targetRefs[0] ?? assert.fail();
}

function matchesOf(): readonly object[] {
  return Object(rules[1]).matches;
}

describe("the fence of kubecamp watch, before routes at a Gateway", function () {
  this.timeout(clusterTimeout);
  const { sandbox, refusal, refusedDeletion } = useFences(stacks, namespace, [installGatewayApi, installEnvoyGateway]);

  const elsewhere = { ...door, metadata: { ...door.metadata, namespace: "default" } };
  const dryRun = async (made: Made) =>
    (await sandbox().kubectl(["create", "--dry-run=server", "-f", "-"], { input: JSON.stringify(made) })).stderr;

  before(async () => {
    const labels = { "kubecamp.dev/stack": stacks.plain?.stack ?? "" };
    await sandbox().apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "ned", labels } });
    // The API server looks anew for the kinds of policies' parameters every half minute; until then, it refuses every route.
    await until(async () => !(await dryRun(elsewhere)).includes("referenced by paramKind"));
  });
  after(() => sandbox().remove("/api/v1/namespaces/ned"));

  for (const stack of Object.keys(stacks)) {
    it(`takes all that a run makes before the path: ${stack}`, async () => {
      for (const made of objectsOf(stack).filter(({ kind }) => kind !== "HTTPRoute")) {
        assert.equal(await refusal(stack, made), "", `${made.kind} ${made.metadata.name}`);
      }
    });
  }

  it("takes paths without a login elsewhere, and of those who are no watch", async () => {
    assert.equal(await dryRun(elsewhere), "");
    assert.equal(await dryRun({ ...door, metadata: { ...door.metadata, labels: {} } }), "");
  });

  it("takes a path with a login after the login, and lets the login go after the path", async () => {
    const early = /no params found for policy binding with `Deny` parameterNotFoundAction/;
    assert.match(await refusal("members", door), early);
    const { metadata, ...rest } = policy("groups");
    const strangers = { ...rest, metadata: { ...metadata, labels: {} } };
    await sandbox().apply(strangers);
    assert.match(await refusal("members", door), early);
    await sandbox().apply(policy("groups"));
    for (const stack of ["members", "groups", "own"]) {
      await until(async () => (await refusal(stack, partOf(stack, "HTTPRoute"))) === "");
      assert.match(await refusal(stack, named(door, "other")), without);
      assert.equal(await refusedDeletion(stack, policy(stack)), "");
    }
    for (const stack of ["plain", "issued", "wildcard"]) {
      assert.equal(await refusal(stack, partOf(stack, "HTTPRoute")), "", stack);
    }
    await sandbox().apply(door);
    await until(async () => (await refusedDeletion("members", policy("groups"))) !== "");
    assert.match(await refusedDeletion("members", policy("groups")), /may delete no login before its path/);
    assert.equal(await refusedDeletion("members", door), "");
    // What is there already may stay as it is.
    const bare = withRules(rules[0]);
    assert.match(await refusal("members", bare), without);
    await sandbox().apply(bare);
    assert.equal(await refusal("members", bare), "");
    await sandbox().destroy("httproute", "ned", "ned");
  });

  for (const [tries, stack, made, words] of attempts) {
    it(`refuses an object of ${stack} that ${tries}`, async () => {
      assert.match(await refusal(stack, made), words);
    });
  }
});
