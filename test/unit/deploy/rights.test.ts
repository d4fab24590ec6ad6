import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readCluster } from "../../../cluster/read/read.ts";
import { othersViews } from "../../../config/model/memberTypes.ts";
import { stackLabel } from "../../../naming/labels.ts";
import {
  admissionPolicies,
  admissionPolicyName,
  backendCaSecretName,
  clusterRoleName,
  roleName,
} from "../../../naming/names.ts";
import { clusterRole } from "../../../plan/objects/clusterRole.ts";
import { managedService } from "../../../plan/objects/route/managedService.ts";
import { watchedKinds } from "../../../watch/live/watchedKinds.ts";
import { json, useApiServer } from "../cluster/fakeApiServer.ts";
import type { KubernetesObject } from "../everyObject.ts";
import { fenced, listIn, manifests, watchFolder } from "./manifests.ts";
import { grants, type Right, rightOfPath, rightsIn, rightsOf, textOf, unneeded } from "./rights.ts";
import { answers, beside, declared, discovered, kinds, pluralOf, stack, stackWith } from "./stacks.ts";

/** What a run asks in order to have an object: to read, make and change it. */
const keeping = ["get", "create", "patch"];
/** What it leaves to an admin's, and only looks at. */
const leftAlone = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
/** And to see it go; the plugin waits for that with a list and a watch. */
const leaving = ["delete", "list", "watch"];
/** What goes with its namespace, or stays as long as the stack does. */
const staying = [
  "ClusterRole",
  "LimitRange",
  "NetworkPolicy",
  "ServiceAccount",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];

/** The one Secret that no bucket comes with. */
const isStaying = ({ kind, metadata }: KubernetesObject) =>
  staying.includes(kind) || (kind === "Secret" && metadata.name === backendCaSecretName({ stack }));

function asks(object: KubernetesObject): Right[] {
  const { apiVersion, kind, metadata } = object;
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  const namespace = kind === "Namespace" ? metadata.name : metadata.namespace;
  const place = namespace === undefined ? {} : { namespace };
  const one = { group, resource: pluralOf(kind), ...place };
  const verbs = leftAlone.includes(kind) ? ["get"] : keeping;
  return [
    ...verbs.map((verb) => ({ ...one, verb, name: metadata.name })),
    ...(isStaying(object)
      ? []
      : leaving.map((verb) => ({ ...one, verb, ...(verb === "delete" ? { name: metadata.name } : {}) }))),
  ];
}

describe("the rights in deploy/watch", () => {
  const server = useApiServer();

  for (const [what, { files, namespace, ...kind }] of Object.entries(kinds)) {
    const rights = rightsOf(beside(namespace, manifests("rbac.yaml", ...files)));
    const configuration = stackWith(kind);
    const asked = declared(configuration).flatMap(asks);

    it(`are enough for what a run and the watch read with ${what}`, async () => {
      const { members, settings } = configuration;
      const read: Right[] = [];
      for (const [resource, body] of Object.entries(answers)) {
        server.answers(resource, (request, response) => {
          read.push(rightOfPath("list", request.url ?? ""));
          json(body)(request, response);
        });
      }
      for (const [version, body] of Object.entries(discovered)) {
        server.answers(version, json(body));
      }
      await readCluster(members, settings);
      for (const { path, fieldSelector } of watchedKinds(settings, members)) {
        const query = fieldSelector === undefined ? "" : `?fieldSelector=${encodeURIComponent(fieldSelector)}`;
        read.push(rightOfPath("list", path + query), rightOfPath("watch", path + query));
      }
      assert.ok(read.length > 20);
      assert.deepEqual(read.filter((ask) => !grants(rights, ask)).map(textOf), []);
      asked.push(...read);
    });

    it(`are enough for every object that a run with ${what} declares`, () => {
      const refused = asked.filter((ask) => !grants(rights, ask)).map(textOf);
      assert.deepEqual(refused, []);
    });

    it(`hold what members are granted to see of others with ${what}`, () => {
      const granted = othersViews.flatMap((view) => rightsIn(clusterRole(view, configuration.settings).rules));
      assert.deepEqual(granted.filter((right) => !grants(rights, right)).map(textOf), []);
    });

    it(`are no more than ${what} takes, in what only that takes`, () => {
      const only = rightsOf(beside(namespace, manifests(...files)));
      assert.deepEqual(unneeded(only, asked).map(textOf), []);
    });
  }

  it("go with a fence that lets through what runs declare outside of members' homes, and nothing else", () => {
    const objects = Object.values(kinds).flatMap((kind) => declared(stackWith(kind)));
    const homes = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
    const outside = objects.filter(
      ({ metadata: { namespace } }) => namespace !== undefined && !homes.includes(namespace),
    );
    assert.deepEqual([...new Set(outside.map(({ kind }) => pluralOf(kind)))].sort(), listIn(fenced("isRoute")).sort());
    for (const { kind, metadata } of objects) {
      const { labels } = metadata as { labels?: Record<string, string> };
      assert.equal(labels?.[stackLabel], stack, `${kind} ${metadata.name}`);
    }
    assert.ok([fenced("isHome"), fenced("isOwn")].every((expression) => expression.includes(`['${stackLabel}']`)));
  });

  it("are enough for the Service that a run makes for a member, and no more", () => {
    const service = { labels: {}, selector: {}, ports: [], annotations: {} };
    const object = managedService({ name: "bob" } as Parameters<typeof managedService>[0], service, "now");
    const asked = asks({ apiVersion: "v1", kind: "Service", ...object });
    assert.deepEqual(
      asked.filter((ask) => !grants(rightsOf(manifests("rbac.yaml", "optional/managed.yaml")), ask)).map(textOf),
      [],
    );
    assert.deepEqual(unneeded(rightsOf(manifests("optional/managed.yaml")), asked), []);
  });

  it("grant in no file what gives everything: wildcards, Secrets of others, containers, pods, impersonation", () => {
    const all = rightsOf(manifests("**/*.yaml"));
    const texts = all.map(textOf);
    assert.deepEqual(
      texts.filter((text) =>
        /\*|pods\/|impersonate|serviceaccounts(?! default$)|(create|patch|update) pods/.test(text),
      ),
      [],
    );
    assert.deepEqual(
      all.filter(({ resource, name }) => resource === "secrets" && name === undefined).map(textOf),
      // Which the file says plainly.
      rightsOf(manifests("optional/buckets.yaml"))
        .filter(({ resource }) => resource === "secrets")
        .map(textOf),
    );
    // For roles of two names alone.
    assert.deepEqual(
      texts.filter((text) => /^(bind|escalate)/.test(text)).sort(),
      ["bind", "escalate"].flatMap((verb) =>
        (["edit", "view"] as const).map((home) => `${verb} roles.rbac.authorization.k8s.io ${roleName(home)}`),
      ),
    );
  });

  const namesOf = (verb: string, kind: string, ...files: readonly string[]) =>
    rightsOf(manifests("rbac.yaml", ...files))
      .filter((right) => right.resource === kind && right.verb === verb)
      .map(({ name }) => name);
  const policies = admissionPolicies.map((policy) => admissionPolicyName(policy, { stack }));

  it("name the stack's own ClusterRoles, and let it delete none of them", () => {
    const views = othersViews.map((view) => clusterRoleName(view, { stack }));
    const verbs = (["patch", "create", "delete"] as const).map((verb) => namesOf(verb, "clusterroles"));
    assert.deepEqual(verbs, [views, views, []]);
  });

  it("let it look at the stack's admission policies and write none, unless it is asked for; and never delete one", () => {
    const writing = ["create", "patch", "update", "delete", "deletecollection"];
    for (const kind of ["validatingadmissionpolicies", "validatingadmissionpolicybindings"]) {
      assert.deepEqual(namesOf("get", kind), policies);
      const files = globSync("optional/*.yaml", { cwd: watchFolder });
      for (const file of files.filter((each) => each !== "optional/policies.yaml")) {
        assert.deepEqual(
          writing.flatMap((verb) => namesOf(verb, kind, file)),
          [],
          file,
        );
      }
      const asked = writing.map((verb) => namesOf(verb, kind, "optional/policies.yaml"));
      assert.deepEqual(asked, [policies, policies, [], [], []]);
    }
    const others = rightsOf(manifests("optional/policies.yaml")).filter(
      ({ group }) => group !== "admissionregistration.k8s.io",
    );
    // The parameters of one of them.
    assert.deepEqual(others.map(textOf), [
      "get priorityclasses.scheduling.k8s.io",
      "list priorityclasses.scheduling.k8s.io",
    ]);
  });

  it("go with a fence that lets ClusterRoles show what members see of others, and nothing else", () => {
    const rules = [stackWith({ route: {} }), stackWith(kinds["a Gateway"] ?? { route: {} })].flatMap(({ settings }) =>
      othersViews.flatMap((view) => clusterRole(view, settings).rules),
    );
    assert.deepEqual(listIn(fenced("seen")).sort(), [...new Set(rules.flatMap(({ resources }) => resources))].sort());
  });
});

describe("rights", () => {
  const rules = [
    { apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get"] },
    { apiGroups: [""], resources: ["pods"], resourceNames: ["a"], verbs: ["get", "delete"] },
  ];
  const pods = { group: "", resource: "pods" };

  it("are one for each group, resource, verb and name", () => {
    assert.deepEqual(rightsIn(rules).map(textOf), ["get pods", "get pods.apps", "get pods a", "delete pods a"]);
  });

  it("grant by name and namespace where they have one", () => {
    const rights = rightsIn(rules, "here");
    const ask = (verb: string, name?: string, namespace?: string) =>
      grants(rights, { ...pods, verb, ...(name === undefined ? {} : { name }), ...(namespace ? { namespace } : {}) });
    assert.deepEqual(
      [ask("delete", "a", "here"), ask("delete", "b", "here"), ask("delete", undefined, "here")],
      [true, false, false],
    );
    assert.deepEqual([ask("get", "b", "here"), ask("get", "b", "there"), ask("get", "b")], [true, false, false]);
  });

  it("to list and watch are told from a path, with the one name that it is about", () => {
    assert.deepEqual(
      [
        "/api/v1/namespaces",
        "/apis/apps/v1/namespaces/here/deployments?labelSelector=a%3Db",
        "/api/v1/namespaces/here/pods?fieldSelector=status.phase!%3DFailed",
        "/api/v1/secrets?fieldSelector=metadata.name%3Dkey",
      ].map((path) => textOf(rightOfPath("list", path))),
      ["list namespaces", "list deployments.apps in here", "list pods in here", "list secrets key"],
    );
  });

  it("are unneeded where no request, or another right, would miss them", () => {
    const asked = [
      { ...pods, verb: "get", name: "a" },
      { ...pods, verb: "delete", name: "a" },
      { ...pods, verb: "list" },
    ];
    // Either of the two that let get it could go.
    assert.deepEqual(unneeded(rightsIn(rules), asked).map(textOf), ["get pods", "get pods.apps", "get pods a"]);
  });
});
