import assert from "node:assert/strict";
import type { ApiObject } from "../../../cluster/kinds/liveObject.ts";
import { objectKey } from "../../../cluster/kinds/objectName.ts";
import { managedObjectOf } from "../../../cluster/read/managedObjects.ts";
import { logicalNames } from "../../../config/names/logicalNames.ts";
import type { GivenObject } from "../../../config/objects/objects.ts";
import type { Settings } from "../../../config/settings.ts";
import { policyOf } from "../../../objects/admission/policies.ts";
import { namespace } from "../../../objects/namespace.ts";
import { role } from "../../../objects/rbac/role.ts";
import { figures, resourceQuota } from "../../../objects/resourceQuota.ts";
import { classifiedIn } from "../../../plan/live/classify.ts";
import { memberObjects, possibleObjects } from "../../../plan/rows/manifest.ts";
import { linksOf } from "../../../plan/rows/order.ts";
import { watchedKinds } from "../../../watch/live/watchedKinds.ts";
import { configurationOf, customized } from "../deploy/stacks.ts";
import { atOnce, labelsOf, oneManager } from "../samples.ts";

const kind = "Widget.v1.example.org";

describe("an object of a custom kind that a member is given", () => {
  const { settings, members } = configurationOf(customized);
  const editable: Settings = { ...settings, objectKinds: [{ kind, isEditable: true }] };
  const member = members.find(({ name }) => name === "active-user") ?? assert.fail();
  const part = "object/widget.example.org:tutor-active-user";
  const widget = () =>
    memberObjects({ member, settings }).base.find(({ part }) => part.startsWith("object/")) ?? assert.fail();
  const widgets = { apiGroups: ["example.org"], resources: ["widgets"] };
  const read = ["get", "list", "watch"];

  it("plans a given custom object as any other, under a name without the version", () => {
    const { args, ...object } = widget();
    assert.partialDeepStrictEqual(object, {
      ...{ part, apiVersion: "example.org/v1", kind, name: "tutor-active-user", namespace: "active-user" },
      ...{ isDeletable: true, lifetime: "withNamespace", marked: "whole", oursBy: "always" },
    });
    assert.deepEqual(args, {
      metadata: {
        name: "tutor-active-user",
        namespace: "active-user",
        labels: { ...labelsOf("active-user"), "kubecamp.dev/stack": "prod", "kubecamp.dev/object": "true" },
        annotations: { ...atOnce, ...oneManager, "pulumi.com/skipAwait": "true" },
      },
      spec: {},
    });
    assert.equal(logicalNames.object(member, { kind, name: "tutor-active-user" }), `active-user/${part}`);
    assert.ok(possibleObjects(member, settings).some((each) => each.part === part && each.kind === kind));
    // After the guards, and before the key.
    assert.deepEqual(linksOf(part, ["namespace", "limits", "isolation"]).after, ["limits", "isolation"]);
    assert.deepEqual(linksOf("role/edit", ["namespace", "limits", part]).after, [part]);
  });

  it("lists a custom object's group on the namespace, which the policy on the platform's uses", () => {
    const list = namespace(member, settings).metadata.annotations["kubecamp.dev/objects"];
    assert.equal(list, "widgets.example.org/tutor-active-user");
    const { matchConstraints, variables } = policyOf("reserved", settings).spec;
    const rules = matchConstraints.resourceRules.filter(({ apiGroups }) => apiGroups.includes("example.org"));
    assert.deepEqual(
      rules.map(({ resources, operations }) => [resources, operations]),
      [
        [["widgets"], ["CREATE", "UPDATE", "DELETE"]],
        [["widgets/scale"], ["CREATE", "UPDATE"]],
      ],
    );
    const of = (wanted: string) => variables.find(({ name }) => name === wanted)?.expression;
    assert.equal(of("isGiven"), "(variables.resource + '/' + variables.name) in variables.given");
    assert.equal(
      of("resource"),
      "request.resource.resource + (request.resource.group in ['', 'batch', 'apps', 'autoscaling'] ? '' : '.' + request.resource.group)",
    );
  });

  it("lets the member read custom objects and, with edit, make as many as others, no finalizers", () => {
    const ofWidgets = (of: Settings) =>
      role(member, of).rules.filter(({ apiGroups }) => apiGroups.includes("example.org"));
    assert.deepEqual(ofWidgets(settings), [{ ...widgets, verbs: read }]);
    const write = ["create", "update", "patch", "delete", "deletecollection"];
    assert.deepEqual(ofWidgets(editable), [{ ...widgets, verbs: [...read, ...write] }]);
    const reader = members.find(({ name }) => name === "active-reader") ?? assert.fail();
    assert.partialDeepStrictEqual(role(reader, editable).rules.at(-1), { ...widgets, verbs: read });
    const count = (of: Settings) => resourceQuota(member, of).spec.hard["count/widgets.example.org"];
    const { objects } = member.limits;
    assert.deepEqual([count(settings), count(editable)], [undefined, String(objects + 1)]);
    assert.deepEqual(resourceQuota(member, settings).spec.hard, figures(member.limits));
    const judged = (of: Settings) =>
      policyOf("finalizers", of).spec.matchConstraints.resourceRules.flatMap(({ apiGroups }) => apiGroups);
    const areJudged = [settings, editable].map((of) => judged(of).includes("example.org"));
    assert.deepEqual(areJudged, [false, true]);
  });

  const live = (more: object): ApiObject => {
    const { metadata, ...args } = widget().args;
    return { apiVersion: "example.org/v1", kind, ...args, ...more, metadata: { ...metadata, resourceVersion: "7" } };
  };
  const snapshotOf = (object: ReturnType<typeof live>) => ({
    managedObjects: new Map([[objectKey(kind, object.metadata.name, "active-user"), managedObjectOf(kind, object)]]),
    services: new Map(),
  });

  it("takes a changed declared field of a custom object for a change by hand, no added one", () => {
    const verdictOf = (spec: object) => {
      const declared = { ...widget(), args: { ...widget().args, spec: { size: 3, parts: ["a"] } } };
      return classifiedIn({ ...declared, kind } as const, snapshotOf(live({ spec })), { member, settings }).verdict;
    };
    assert.equal(verdictOf({ size: 3, parts: ["a"], colour: "red" }), "fine");
    assert.equal(verdictOf({ size: 4, parts: ["a"] }), "changedByHand");
    assert.equal(verdictOf({ size: 3, parts: ["a", "b"] }), "changedByHand");
  });

  it("reads a custom object under the name of its resource, whatever that is", () => {
    const irregular: Settings = { ...settings, objectKinds: [{ kind: `${kind}:gadgets`, isEditable: true }] };
    const object: GivenObject = { ...(member.objects?.[0] ?? assert.fail()), kind: `${kind}:gadgets` };
    const of = { ...irregular, objects: [{ index: 0, for: { labels: {} }, manifests: [object] }] };
    const paths = watchedKinds({ settings: of, members: [{ ...member, objects: [object] }] }).map(({ path }) => path);
    assert.ok(paths.includes("/apis/example.org/v1/gadgets"));
    assert.deepEqual(role(member, irregular).rules.at(-1)?.resources, ["gadgets"]);
    assert.equal(objectKey(object.kind, "a", "ann"), "Widget.v1.example.org ann/a");
  });
});
