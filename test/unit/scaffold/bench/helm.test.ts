import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { memberLabel } from "../../../../naming/labels.ts";
import { chartOf, objectsIn, sameObjects } from "../../../../scaffold/bench/helm/chart.ts";
import { list } from "../../../../scaffold/bench/stage/objects.ts";

const shared = { apiVersion: "v1", kind: "ClusterRole", metadata: { name: "all", note: "{{ not run }}" } };
const namespace = (member: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: member, labels: { [memberLabel]: member } },
});
const quota = (member: string, cpu = "500m") => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "quota", namespace: member, labels: { [memberLabel]: member } },
  spec: { hard: { "limits.cpu": cpu, pods: 5 } },
});
const binding = (member: string) => ({
  apiVersion: "v1",
  kind: "ClusterRoleBinding",
  // The annex is nobody's, whatever its name begins with.
  metadata: { name: `view-${member}`, labels: { [memberLabel]: member, in: "annex" } },
});

describe("the chart of what kubectl gets", () => {
  it("has what members share as it is, and one template of what each has, with the name in its place", () => {
    const { templates, values } = chartOf(list([shared, namespace("a-1"), namespace("a-10")]));
    assert.equal(
      templates.shared,
      '---\n{"apiVersion":"v1","kind":"ClusterRole","metadata":{"name":"all","note":"{{ "{{" }} not run }}"}}\n',
    );
    assert.equal(
      templates.members,
      [
        "{{- range .Values.members }}",
        '{{- if not (has "Namespace//NAME" (.without | default list)) }}',
        "---",
        '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"{{ .member }}","labels":{"kubecamp.dev/member":"{{ .member }}"}}}',
        "{{- end }}",
        "{{- end }}\n",
      ].join("\n"),
    );
    assert.deepEqual(values, { members: [{ member: "a-1" }, { member: "a-10" }] });
  });

  it("has in the values what one member has otherwise, and which objects not", () => {
    const { templates, values } = chartOf(
      list([quota("ann", "800m"), quota("ben"), quota("cat"), binding("ann"), binding("ben")]),
    );
    const path = "ResourceQuota/NAME/quota.spec.hard.limits.cpu";
    assert.deepEqual(values.members, [
      { member: "ann", own: { [path]: "800m" } },
      { member: "ben" },
      { member: "cat", without: ["ClusterRoleBinding//view-NAME"] },
    ]);
    assert.match(
      templates.members,
      /"limits\.cpu":\{\{ index \(\.own \| default dict\) "[^"]+" \| default "500m" \| toJson \}\},"pods":5/,
    );
  });

  it("has no template for an object with other fields than the others' have", () => {
    const other = { ...quota("ben"), spec: { hard: {} } };
    assert.throws(() => chartOf(list([quota("ann"), quota("cat"), other])), /not the same fields for all members/);
  });

  it("is held against the objects in whatever order Helm prints them", () => {
    const rendered = `---\n# Source: camp/templates/shared.yaml\n${JSON.stringify(shared)}\n---\n# Source: x\n${JSON.stringify(namespace("ann"))}\n`;
    const objects = objectsIn(rendered);
    assert.deepEqual(objects, [shared, namespace("ann")]);
    assert.ok(sameObjects(objects, [namespace("ann"), shared]));
    assert.ok(!sameObjects(objects, [namespace("ben"), shared]));
    assert.ok(!sameObjects(objects, [shared]));
  });
});
