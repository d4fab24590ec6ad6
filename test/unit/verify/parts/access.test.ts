import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../../../../cluster/api/requests.ts";
import { isRead, memberObjects, sharedObjects } from "../../../../plan/rows/manifest.ts";
import { held } from "../../../../verify/outcome.ts";
import { declaredRules, grantsIn, type Rule, type Subject } from "../../../../verify/parts/access/rights.ts";
import { tryAccess } from "../../../../verify/parts/access.ts";
import { objectsOf } from "../../../../verify/stage/manifest.ts";
import type { Player, Stage } from "../../../../verify/stage/stage.ts";
import { configuration } from "../../samples.ts";

const list = configuration({ members: [{ member: "ada", type: "user", groups: ["class-a"] }] });
const { settings } = list;
const made = configuration({ members: ["uma", "ugo"].map((member) => ({ member, type: "user" })) }).members;
const grants = grantsIn([
  ...sharedObjects(settings).filter(isRead),
  ...[...made, ...list.members].flatMap((member) => memberObjects({ member, settings }).base.filter(isRead)),
]);

interface Request {
  readonly who: Subject;
  readonly method: string;
  readonly path: string;
}

/** Gives an answer other than that of a cluster on which all is as declared; undefined for that. */
type Instead = (request: Request, spec: { readonly namespace?: string }) => Answer | Error | undefined;

const subjectOf = (user: string, group?: string): Subject => {
  const [, namespace, name] = /^system:serviceaccount:(.*):(.*)$/.exec(user) ?? [];
  const person = group === undefined ? { kind: "User", name: user } : { kind: "Group", name: group };
  return namespace === undefined || name === undefined ? person : { kind: "ServiceAccount", name, namespace };
};

const rules = (resourceRules: readonly Rule[], more: object = {}): Answer => ({
  status: 200,
  body: { status: { resourceRules, nonResourceRules: [], incomplete: false, ...more } },
});

interface On {
  readonly isPart?: boolean;
  /** Objects of the cluster, by kind. Default: none. */
  readonly objects?: Readonly<Record<string, readonly object[]>>;
}

/** Trials that are not held, or by acceptance, and all requests. */
async function tryOn(instead: Instead = () => undefined, { isPart = false, objects = {} }: On = {}) {
  const requests: Request[] = [];
  const askAs: Stage["askAs"] = (user, group) => async (method, path, body) => {
    const request = { who: subjectOf(user, group), method, path };
    requests.push(request);
    const spec = (Object(body) as { spec?: { namespace?: string } }).spec ?? {};
    const other = instead(request, spec);
    if (other instanceof Error) {
      throw other;
    }
    if (other !== undefined) {
      return other;
    }
    if (path.endsWith("rulesreviews")) {
      return rules(declaredRules(grants, request.who, spec.namespace ?? ""));
    }
    return path.endsWith("accessreviews")
      ? { status: 200, body: { status: { allowed: false } } }
      : { status: /^\/api\/v1\/namespaces\/[^/]+\/pods$/.test(path) && method === "GET" ? 200 : 403, body: {} };
  };
  const players: Player[] = made.map((member) => ({
    member,
    namespace: member.name,
    ask: askAs(member.username),
    ...objectsOf(member, settings),
  }));
  const api = { list: ({ kind }: { readonly kind: string }) => Promise.resolve(objects[kind] ?? []) };
  const stage = { players, askAs, api } as unknown as Stage;
  const all = await tryAccess({ stage, configuration: list, isPart, options: { only: ["access"], image: "" } });
  assert.ok(all.length > 100);
  const troubles = all.flatMap(({ by, promise, outcome }) =>
    isDeepStrictEqual(outcome, held) ? [] : [{ by, promise, outcome }],
  );
  return { troubles, requests };
}

describe("the access that verify tries", () => {
  it("is held where everybody has what is declared: nothing is written, and groups are asked one by one", async () => {
    const { troubles, requests } = await tryOn();
    assert.deepEqual(troubles, []);
    const writes = requests.filter(({ method, path }) => method !== "GET" && !/\/self\w+reviews$/.test(path));
    assert.ok(writes.length > 50);
    assert.deepEqual(
      writes.filter(({ path }) => !path.endsWith("?dryRun=All")),
      [],
    );
    const asked = new Set(requests.map(({ who }) => `${who.kind} ${who.name}`));
    assert.deepEqual([...asked].sort(), [
      "Group oidc:class-a",
      "ServiceAccount default",
      "User oidc:ada",
      "User oidc:ugo",
      "User oidc:uma",
      "User oidc:uma-nobody",
    ]);
  });

  it("is not proven by rules that an authorizer leaves out, unless those that it lists are too many", async () => {
    const incomplete = {
      incomplete: true,
      evaluationError: "webhook authorizer does not support user rule resolution",
    };
    const { troubles } = await tryOn(({ who, path }, { namespace = "" }) => {
      const more = who.name === "oidc:ada" ? [{ verbs: ["get"], apiGroups: [""], resources: ["nodes"] }] : [];
      return path.endsWith("rulesreviews")
        ? rules([...declaredRules(grants, who, namespace), ...more], incomplete)
        : undefined;
    });
    const ada = troubles.filter(({ by }) => by === "ada").map(({ outcome }) => outcome);
    assert.deepEqual(ada, [
      {
        is: "broken",
        tried: "asked the API server what they may do in another member's namespace",
        came: "they may also get nodes",
      },
    ]);
    const others = troubles.filter(({ by }) => by !== "ada");
    assert.ok(others.length > 10);
    const why =
      "an authorizer of this cluster does not list what it allows: webhook authorizer does not support user rule resolution";
    assert.deepEqual(
      new Set(others.map(({ outcome }) => JSON.stringify(outcome))),
      new Set([JSON.stringify({ is: "unproven", why })]),
    );
    // Requests are tried all the same.
    assert.ok(!others.some(({ promise }) => promise.startsWith("Members change nothing")));
  });

  describe("where everybody may do more", () => {
    const more = { verbs: ["create"], apiGroups: ["project.openshift.io"], resources: ["projectrequests"] };
    const everybodyMay =
      (own: (who: Subject, namespace: string) => readonly Rule[]): Instead =>
      ({ who, path }, { namespace = "" }) =>
        path.endsWith("rulesreviews")
          ? rules([...declaredRules(grants, who, namespace), ...own(who, namespace)])
          : undefined;
    const others = "Pods, and people in no list, have no rights in members' namespaces";
    const promisesIn = (troubles: readonly { promise: string; by: string }[]) =>
      [...new Set(troubles.map(({ promise, by }) => `${by}: ${promise}`))].sort();
    const binding = {
      metadata: { name: "self-provisioners", annotations: { "kubecamp.dev/accepted": "projects are free" } },
      roleRef: { kind: "ClusterRole", name: "self-provisioner" },
      subjects: [{ kind: "Group", name: "system:authenticated" }],
    };
    const role = { metadata: { name: "self-provisioner" }, rules: [more] };

    it("breaks one promise, whoever has the right", async () => {
      const { troubles } = await tryOn(everybodyMay(() => [more]));
      assert.deepEqual(promisesIn(troubles), [
        `a pod of a user: ${others}`,
        `a pod: ${others}`,
        `somebody else who signs in: ${others}`,
      ]);
      assert.ok(troubles.every(({ outcome }) => outcome.is === "broken"));
    });

    it("still breaks others by what somebody has beyond that", async () => {
      const secrets = { verbs: ["get"], apiGroups: [""], resources: ["secrets"] };
      const { troubles } = await tryOn(
        everybodyMay(({ name }, namespace) => [more, ...(name === "oidc:ada" && namespace === "ugo" ? [secrets] : [])]),
      );
      assert.deepEqual(
        troubles.filter(({ promise }) => promise !== others),
        [
          {
            by: "ada",
            promise: "Nobody in the list has more rights than the list gives",
            outcome: {
              is: "broken",
              tried: "asked the API server what they may do in another member's namespace",
              came: "they may also get secrets",
            },
          },
        ],
      );
    });

    it("of ServiceAccounts alone leaves those of people to the list", async () => {
      const { troubles } = await tryOn(
        everybodyMay(({ kind, name }) => (kind !== "Group" && name !== "oidc:uma-nobody" ? [more] : [])),
      );
      assert.deepEqual(
        promisesIn(troubles).filter((text) => !text.endsWith(others)),
        [
          "a user: Members have the rights that their type gives, and no others",
          "ada: Nobody in the list has more rights than the list gives",
        ],
      );
    });

    it("is held once the binding says why, and told", async () => {
      const accepting = { objects: { ClusterRoleBinding: [binding], ClusterRole: [role] } };
      const { troubles } = await tryOn(
        everybodyMay(() => [more]),
        accepting,
      );
      const accepted = "everybody may create projectrequests.project.openshift.io (projects are free)";
      assert.deepEqual(troubles, [
        { by: "ClusterRoleBinding self-provisioners", promise: others, outcome: { is: "held", accepted } },
      ]);
    });
  });

  it("is not proven of people whose names are encrypted", async () => {
    const { troubles } = await tryOn(undefined, { isPart: true });
    const why = "a part of the list or of oidc is encrypted, or comes from an environment: nobody was asked about it";
    assert.deepEqual(troubles, [
      {
        by: "the stack",
        promise: "Nobody in the list has more rights than the list gives",
        outcome: { is: "unproven", why },
      },
    ]);
  });

  it("is not proven by refusals where all is refused, nor by a server that is busy", async () => {
    const refused = { status: 403, body: { message: "pods is forbidden" } };
    const { troubles } = await tryOn(({ path, method }) =>
      method === "GET" && path.endsWith("/uma/pods") ? refused : undefined,
    );
    assert.ok(troubles.length > 50);
    assert.deepEqual(
      new Set(troubles.map(({ outcome }) => JSON.stringify(outcome))),
      new Set([JSON.stringify({ is: "unproven", why: "they can't list their own pods: pods is forbidden" })]),
    );
    const busy = await tryOn(({ path }) => (path.includes("/secrets") ? { status: 503, body: "busy" } : undefined));
    assert.ok(busy.troubles.length > 0);
    assert.ok(busy.troubles.every(({ outcome }) => outcome.is === "unproven" && outcome.why.endsWith(": 503 busy")));
  });

  it("is broken by any answer that comes after RBAC, and not proven by an identity that may not impersonate", async () => {
    const { troubles } = await tryOn(({ path }) =>
      path === "/api/v1/namespaces/ugo/pods/any/log"
        ? { status: 404, body: { message: 'pods "any" not found' } }
        : undefined,
    );
    assert.deepEqual(troubles, [
      {
        by: "a user",
        promise: "Elsewhere, members read no logs, ConfigMaps, Secrets or events",
        outcome: {
          is: "broken",
          tried: "tried to read pods/log in another member's namespace",
          came: 'RBAC let them (pods "any" not found)',
        },
      },
    ]);
    const forbidden = await tryOn(() => new Error("give this identity the verb"));
    assert.ok(forbidden.troubles.length > 100);
    assert.ok(forbidden.troubles.every(({ outcome }) => outcome.is === "unproven"));
  });
});
