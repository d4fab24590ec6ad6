import assert from "node:assert/strict";
import { stackKindsWhere } from "../../../../../cluster/kinds/stackKinds.ts";
import { givenKindNames, givenKinds } from "../../../../../config/model/members/givenKinds.ts";
import { reservedPolicy } from "../../../../../plan/objects/admission/reservedPolicy.ts";

import { configurationOf, given } from "../../../deploy/stacks.ts";
import { configuration, settings } from "../../../samples.ts";

// Suites in test/e2e/isolation/hostile, and those about routes, starters and buckets, try it on the API server.
describe("the policy on what is kubecamp's at home", () => {
  const { metadata, spec } = reservedPolicy({ ...settings, contact: 'the "platform" team' });

  it("judges every kind that members and runs both write, also what is deleted, but for Services", () => {
    assert.equal(metadata.name, "kubecamp-reserved-dev");
    const { resourceRules } = spec.matchConstraints;
    const resources = resourceRules.flatMap((rule) => rule.resources);
    const ofObjects = ["CronJob", "DaemonSet", "StatefulSet"];
    const others = stackKindsWhere(({ isWrittenByMembers }) => isWrittenByMembers).filter(
      (kind) => kind !== "Service" && !ofObjects.includes(kind),
    );
    assert.deepEqual(resources.sort(), others.map((kind) => `${kind.toLowerCase()}s`).sort());
    assert.ok(resourceRules.every(({ operations }) => operations.includes("DELETE")));
  });

  it("judges every kind that members are given, and what scales them", () => {
    // Also kinds that no file has yet.
    const { spec: more } = reservedPolicy({ ...configurationOf(given).settings, objects: [] });
    const resources = new Set(more.matchConstraints.resourceRules.flatMap((rule) => rule.resources));
    const wanted = givenKindNames.map((kind) => givenKinds[kind].resource);
    assert.deepEqual(
      [...wanted, "deployments/scale", "statefulsets/scale", "horizontalpodautoscalers"].filter(
        (resource) => !resources.has(resource),
      ),
      [],
    );
    assert.equal(more.validations.length, spec.validations.length + 2);
  });

  it("takes a custom kind for none of Kubernetes' own of that name, and knows what an autoscaler scales", () => {
    const kind = { apiVersion: "serving.example.org/v1", kind: "Service" };
    const widget = { apiVersion: "example.org/v1", kind: "Widget", plural: "widgetry" };
    const custom = configuration({ members: [], objectKinds: [kind, widget] }).settings;
    const { variables } = reservedPolicy({ ...custom, objects: [] }).spec;
    const of = (name: string) => variables.find((each) => each.name === name)?.expression;
    assert.equal(
      of("resource"),
      "request.resource.resource + (request.resource.group in ['', 'batch', 'apps', 'autoscaling'] ? '' : '.' + request.resource.group)",
    );
    assert.match(of("isKept") ?? "", /^variables\.resource != 'services' && /);
    assert.doesNotMatch(`${of("isReserved")} ${of("isGiven")} ${of("target")}`, /request\.resource/);
    assert.match(
      of("targetResource") ?? "",
      /^\{'serving\.example\.org\/Service': 'services\.serving\.example\.org', 'example\.org\/Widget': 'widgetry\.example\.org'\}\[\?/,
    );
    const { variables: without } = reservedPolicy({ ...settings, objects: [] }).spec;
    assert.deepEqual(
      without.filter(({ name }) => name === "resource" || name.startsWith("target")).map(({ name }) => name),
      ["target"],
    );
  });

  it("says how to restart what is given, which nobody can call otherwise", () => {
    const { spec: more } = reservedPolicy({ ...settings, contact: "us", objects: [] });
    assert.match(
      more.validations[0]?.messageExpression ?? "",
      /variables.isGiven && oldObject != null \? \(request.resource.resource in \['daemonsets', 'deployments', 'statefulsets'\] \? ": delete its pods to restart it, or ask us" : ": ask us to change it"\) : ": call yours otherwise, or ask us"\)/,
    );
  });

  it("leaves what members are given as their own to them, also when no setting says so any more", () => {
    const { expression } = spec.variables.find(({ name }) => name === "isKept") ?? assert.fail();
    assert.match(expression, /labels\[\?'kubecamp.dev\/object'\].orValue\(''\) != 'theirs'$/);
  });

  it("says what to do, and whom to ask", () => {
    const messages = spec.validations.map(({ messageExpression }) => messageExpression);
    assert.match(
      messages[0] ?? "",
      /variables.starter == '' \? ": call yours otherwise, or ask the \\"platform\\" team" : ": ask the \\"platform\\" team for 'starter: once' or 'starter: off' to have your own"\)$/,
    );
    assert.match(messages[1] ?? "", /: leave it out, or ask the \\"platform\\" team"$/);
  });
});
