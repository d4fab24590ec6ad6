import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readCluster } from "../../../cluster/read/read.ts";
import { othersViews } from "../../../config/model/members/memberTypes.ts";
import { stackLabel } from "../../../naming/labels.ts";
import {
  admissionPolicies,
  admissionPolicyName,
  ciTokenRoleName,
  clusterRoleName,
  confiningPolicies,
  roleName,
  staffRoleName,
} from "../../../naming/names.ts";
import { clusterRole } from "../../../plan/objects/rbac/clusterRole.ts";
import { managedService } from "../../../plan/objects/route/managedService.ts";
import { watchedKinds } from "../../../watch/live/watchedKinds.ts";
import { grants, type Right, rightOfPath, rightsIn, textOf } from "../../../watch/manifests/rights/rights.ts";
import { stack } from "../../../watch/manifests/rights/samples.ts";
import { useApiServer } from "../cluster/fakeApiServer.ts";
import type { KubernetesObject } from "../everyObject.ts";
import { fenced, listIn, manifests, rightsOf, watchFolder } from "./manifests.ts";
import { beside, declared, kinds, pluralOf, recordReads, stackWith } from "./stacks.ts";

/** Requests by which a run manages an object: to read, make and change it. */
function asks({ apiVersion, kind, metadata }: KubernetesObject): Right[] {
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  const namespace = kind === "Namespace" ? metadata.name : metadata.namespace;
  const place = namespace === undefined ? {} : { namespace };
  // It only reads objects that an admin's run makes.
  const verbs = /^(Mutating|Validating)AdmissionPolicy/.test(kind) ? ["get"] : ["get", "create", "patch"];
  return verbs.map((verb) => ({ verb, group, resource: pluralOf(kind), name: metadata.name, ...place }));
}

describe("the rights in deploy/watch", () => {
  const server = useApiServer();

  for (const [what, { files, namespace, ...kind }] of Object.entries(kinds)) {
    const rights = rightsOf(beside(namespace, manifests("rbac.yaml", ...files)));
    const configuration = stackWith(kind);

    it(`are enough for what a run and the watch read with ${what}`, async () => {
      const { members, settings } = configuration;
      const read = recordReads(server);
      await readCluster(members, settings);
      for (const { path, fieldSelector } of watchedKinds(settings, members, true)) {
        const query = fieldSelector === undefined ? "" : `?fieldSelector=${encodeURIComponent(fieldSelector)}`;
        read.push(rightOfPath("list", path + query), rightOfPath("watch", path + query));
      }
      assert.ok(read.length > 20);
      assert.deepEqual(read.filter((ask) => !grants(rights, ask)).map(textOf), []);
    });

    it(`are enough for every object that a run with ${what} declares`, () => {
      const asked = declared(configuration).flatMap(asks);
      assert.deepEqual(asked.filter((ask) => !grants(rights, ask)).map(textOf), []);
    });

    it(`hold what members are granted to see of others with ${what}`, () => {
      const granted = othersViews.flatMap((view) => rightsIn(clusterRole(view, configuration.settings).rules));
      assert.deepEqual(granted.filter((right) => !grants(rights, right)).map(textOf), []);
    });
  }

  it("go with a fence that lets through what runs declare outside of members' homes, and nothing else", () => {
    const objects = Object.values(kinds).flatMap((kind) => declared(stackWith(kind)));
    const homes = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
    const outside = objects.filter(
      ({ metadata: { namespace } }) => namespace !== undefined && !homes.includes(namespace),
    );
    assert.deepEqual(
      [...new Set(outside.map(({ kind }) => pluralOf(kind)))].sort(),
      listIn(fenced("besideController")),
    );
    for (const { kind, metadata } of objects) {
      const { labels } = metadata as { labels?: Record<string, string> };
      assert.equal(labels?.[stackLabel], stack, `${kind} ${metadata.name}`);
    }
    assert.ok([fenced("isHome"), fenced("isOwn")].every((expression) => expression.includes(`['${stackLabel}']`)));
  });

  it("are enough for the Service that a run makes for a member", () => {
    const service = { labels: {}, selector: {}, ports: [], annotations: {} };
    const object = managedService({ name: "bob" } as Parameters<typeof managedService>[0], service, "now");
    const asked = asks({ apiVersion: "v1", kind: "Service", ...object });
    assert.deepEqual(
      asked.filter((ask) => !grants(rightsOf(manifests("rbac.yaml", "optional/managed.yaml")), ask)).map(textOf),
      [],
    );
  });

  it("grant in no file what gives everything: wildcards, Secrets of others, containers, pods, impersonation", () => {
    const all = rightsOf(manifests("**/*.yaml"));
    const texts = all.map(textOf);
    assert.deepEqual(
      texts.filter(
        (text) =>
          // Names of ServiceAccounts are no secret.
          !/^(list|watch) serviceaccounts$/.test(text) &&
          /\*|pods\/|impersonate|serviceaccounts(?! (default|kubecamp-ci)$)|(create|patch|update) pods/.test(text),
      ),
      [],
    );
    assert.deepEqual(
      all.filter(({ resource, name }) => resource === "secrets" && name === undefined).map(textOf),
      // The file says so.
      rightsOf(manifests("optional/buckets.yaml"))
        .filter(({ resource }) => resource === "secrets")
        .map(textOf),
    );
    // For roles of two names alone, with CI jobs of one more, and with staff of two more.
    const roles = [
      ...(["edit", "view"] as const).map(roleName),
      ciTokenRoleName,
      ...(["assist", "view"] as const).map(staffRoleName),
    ];
    assert.deepEqual(
      texts.filter((text) => /^(bind|escalate)/.test(text)).sort(),
      ["bind", "escalate"].flatMap((verb) => roles.map((name) => `${verb} roles.rbac.authorization.k8s.io ${name}`)),
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
      const all = [...admissionPolicies, ...confiningPolicies, "restarts" as const, "tokens" as const].map((policy) =>
        admissionPolicyName(policy, { stack }),
      );
      const sorted = asked.map((names) => names.sort());
      assert.deepEqual(sorted, [all.sort(), all, [], [], []]);
    }
    for (const kind of ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"]) {
      const asked = writing.map((verb) => namesOf(verb, kind, "optional/policies.yaml", "optional/labs.yaml"));
      assert.deepEqual(asked, [["kubecamp-fill-in-prod"], ["kubecamp-fill-in-prod"], [], [], []]);
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
    assert.deepEqual(listIn(fenced("seen")), [...new Set(rules.flatMap(({ resources }) => resources))].sort());
  });
});
