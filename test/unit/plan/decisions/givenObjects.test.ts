import assert from "node:assert/strict";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot, ManagedObject, Unread } from "../../../../cluster/read/snapshot.ts";
import type { GivenObject } from "../../../../config/objects/objects.ts";
import { givenObject } from "../../../../objects/givenObject.ts";
import { namespace } from "../../../../objects/namespace.ts";
import { takenObjects } from "../../../../plan/decisions/givenObjects.ts";
import { memberObjects } from "../../../../plan/rows/manifest.ts";
import { keptOptions } from "../../../../plan/rows/order.ts";
import type { MemberFacts } from "../../../../plan/rows/row.ts";
import { liveObject as live } from "../../cluster/liveService.ts";
import { configurationOf, given } from "../../deploy/stacks.ts";

describe("an object that a member is given as their own", () => {
  const { settings, members } = configurationOf(given);
  const some = members.find(({ name }) => name === "active-user") ?? assert.fail();
  const theirs = (is: (object: GivenObject) => boolean) =>
    (some.objects ?? []).map((object): GivenObject => (is(object) ? { ...object, isTheirs: true } : object));
  const member = { ...some, objects: theirs(({ kind }) => kind === "Deployment") };
  const object = member.objects.find(({ isTheirs }) => isTheirs) ?? assert.fail();
  const title = `Deployment/${object.name}`;
  const part = `object/deployment/${object.name}`;
  const record = `deployments/${object.name}`;
  const { labels } = givenObject(object, member, settings).metadata;

  const recording = live({ annotations: { "kubecamp.dev/given-away": `configmaps/a,${record}` } });

  const snapshotOf = (
    own: ManagedObject | undefined,
    { isRecorded = false, role = "kubecamp-edit", home = namespace(member, settings).metadata, unread }: Facts = {},
  ): Pick<ClusterSnapshot, "managedObjects" | "services" | "copies" | "unread"> => ({
    managedObjects: new Map([
      [objectKey("Namespace", member.name), live(home)],
      ...(own === undefined ? [] : ([[objectKey("Deployment", object.name, member.name), own]] as const)),
      ...(isRecorded ? ([[objectKey("Role", role, member.name), recording]] as const) : []),
    ]),
    services: new Map(),
    unread,
  });

  interface Facts {
    readonly isRecorded?: boolean;
    readonly role?: string;
    readonly home?: Partial<Pick<ManagedObject, "labels" | "annotations">>;
    readonly unread?: Unread;
  }

  const decided = (own: ManagedObject | undefined, facts?: Facts, of = member) => {
    const { names, theirs: away } = takenObjects(of, settings, snapshotOf(own, facts)) ?? assert.fail();
    return { taken: names, ...away };
  };
  const making = { taken: [], left: [], gone: [], made: [record] };
  const leaving = { ...making, left: [title] };
  const isGone = { ...making, gone: [title] };
  const isTaken = { ...making, taken: [title], made: [] };

  it("makes a given object once: no run makes again what either Role records", () => {
    assert.deepEqual(decided(undefined), making);
    assert.deepEqual(decided(undefined, { isRecorded: true }), isGone);
    assert.deepEqual(decided(undefined, { isRecorded: true, role: "kubecamp-view" }), isGone);
  });

  it("gives a leaver no new object, and leaves theirs where it is", () => {
    const left = { ...member, standing: "suspended", leaves: "2026-07-15" } as const;
    assert.deepEqual(decided(undefined, {}, left), { ...isGone, made: [] });
    assert.deepEqual(decided(undefined, { isRecorded: true }, left), isGone);
    assert.deepEqual(decided(live({ labels }), {}, left), leaving);
  });

  it("leaves a given object from then on, also if an interrupted run had not recorded it", () => {
    assert.deepEqual(decided(live({ labels }), { isRecorded: true }), leaving);
    assert.deepEqual(decided(live({ labels })), leaving);
  });

  it("forgets a given object that Pulumi can't read, or that has lost its label", () => {
    const { "kubecamp.dev/object": _, ...unlabelled } = labels as Record<string, string>;
    assert.deepEqual(decided({ ...live({ labels }), isMarked: true }, { isRecorded: true }), isGone);
    assert.deepEqual(decided(live({ labels: unlabelled }), { isRecorded: true }), isGone);
  });

  it("leaves a member's object under a given one's name to them, even with adopt", () => {
    assert.deepEqual(decided(live({}), { isRecorded: true }), isGone);
    assert.deepEqual(decided(live({})), isTaken);
    assert.deepEqual(decided(live({}), {}, { ...member, adopt: true }), isTaken);
  });

  it("gives away a platform's object that the namespace lists, not one by its labels alone", () => {
    const platforms = live({ labels: { ...labels, "kubecamp.dev/object": "true" } });
    assert.deepEqual(decided(platforms, { home: namespace(some, settings).metadata }), making);
    assert.deepEqual(decided(platforms), isTaken);
  });

  it("takes a given object from Pulumi's state where a preview can't read it", () => {
    const unread = (last: readonly string[], ...kinds: readonly ("Deployment" | "Role")[]) => ({
      unread: { offline: false, kinds: new Map(kinds.map((kind) => [kind, ""])), last: new Set(last) },
    });
    const name = `${member.name}/${part}`;
    assert.deepEqual(decided(undefined, unread([name], "Deployment", "Role")), leaving);
    assert.deepEqual(decided(undefined, unread([], "Deployment", "Role")), making);
    assert.deepEqual(decided(undefined, { ...unread([], "Deployment"), isRecorded: true }), isGone);
    assert.deepEqual(decided(undefined, unread([name], "Role")), isGone);
  });

  const objectsWith = (own: ManagedObject | undefined, facts?: Facts) =>
    memberObjects({ member, settings, takenObjects: takenObjects(member, settings, snapshotOf(own, facts)) }).base;

  it("makes and records no given object of a kind that the watch may not read", () => {
    const kinds = new Map([["Deployment" as const, ""]]);
    const unread = (...last: string[]) => ({
      unread: { offline: false, isLeftOut: true as const, kinds, last: new Set(last) },
    });
    assert.deepEqual(decided(undefined, unread()), { ...isGone, made: [] });
    assert.deepEqual(decided(undefined, unread(`${member.name}/${part}`)), leaving);
  });

  it("marks a given object by its label and on the Role, made after it, not as the platform's", () => {
    const base = objectsWith(undefined);
    const made = base.find((each) => each.part === part) ?? assert.fail();
    assert.equal(made.args.metadata.labels["kubecamp.dev/object"], "theirs");
    assert.equal(made.marked, "none");
    const { annotations = {} } = base.find((each) => each.kind === "Role")?.args.metadata ?? assert.fail();
    assert.equal(annotations["kubecamp.dev/given-away"], record);
    const parts = base.map((each) => each.part);
    assert.ok(parts.indexOf(part) < parts.indexOf("role/edit"));
    const home = base.find((each) => each.kind === "Namespace")?.args.metadata.annotations ?? {};
    assert.ok(!home["kubecamp.dev/objects"]?.split(",").includes(record));
    assert.ok(home["kubecamp.dev/objects"]?.includes("configmaps/"));
  });

  it("registers a given object unchanged while it exists, drops a gone one, and deletes none", () => {
    const left =
      objectsWith(live({ labels }))
        .filter(({ part }) => part.startsWith("object/"))
        .find((each) => each.part === part) ?? assert.fail();
    assert.deepEqual(left.ignored, ["*"]);
    assert.deepEqual(left.args, { metadata: { name: object.name, namespace: member.name, labels: {} }, spec: {} });
    assert.deepEqual(keptOptions(part, {}, left.ignored), { retainOnDelete: true, ignoreChanges: ["*"] });
    assert.deepEqual(keptOptions(part, { labels }, []), { retainOnDelete: true });
    const platforms = { ...labels, "kubecamp.dev/object": "true" };
    assert.deepEqual(keptOptions(part, { labels: platforms }, []), {});
    assert.ok(!objectsWith(undefined, { isRecorded: true }).some((each) => each.part === part));
  });
});

describe("an object with the name of one that a member is given", () => {
  const { settings, members } = configurationOf(given);
  const member = members.find(({ name }) => name === "active-user") ?? assert.fail();
  const object = member.objects?.find(({ kind }) => kind === "StatefulSet") ?? assert.fail();
  const takenIn = (home: ManagedObject | undefined, own: ManagedObject) =>
    takenObjects(member, settings, {
      managedObjects: new Map([
        [objectKey("StatefulSet", object.name, member.name), own],
        ...(home === undefined ? [] : ([[objectKey("Namespace", member.name), home]] as const)),
      ]),
      services: new Map(),
    });
  const namesIn = (...live: Parameters<typeof takenIn>) => takenIn(...live)?.names;
  const { labels } = givenObject(object, member, settings).metadata;
  const { annotations } = namespace(member, settings).metadata;

  it("takes an object for a run's if it has the marks and the namespace says that it is given", () => {
    assert.deepEqual(namesIn(live({ annotations }), live({ labels })), []);
    assert.deepEqual(namesIn(live({ annotations }), live({ applied: "x" })), []);
    assert.deepEqual(namesIn(undefined, live({ labels })), []);
  });

  it("leaves out an object that Pulumi can't read, whosever it is", () => {
    const own = { ...live({ labels }), isMarked: true as const };
    const taken = takenIn(undefined, own);
    assert.deepEqual(taken?.names, [`StatefulSet/${object.name}`]);
    const made = memberObjects({ member, settings, takenObjects: taken } as MemberFacts).base;
    const isMade = made.some(({ part }) => part === `object/statefulset/${object.name}`);
    assert.equal(isMade, false);
  });

  it("takes an object of a given name for the member's otherwise, who can make up the marks", () => {
    const taken = [`StatefulSet/${object.name}`];
    assert.deepEqual(namesIn(live({}), live({ labels, applied: "x" })), taken);
    assert.deepEqual(namesIn(live({ annotations }), live({})), taken);
  });
});
