import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { obstacles } from "../../../../plan/decide/obstacles.ts";
import { bucketObstacles } from "../../../../plan/findings/decisions.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
import { withBuckets } from "../../samples.ts";
import { planned, planOf, textOf } from "../planned.ts";

const entry = { member: "ana", type: "user", buckets: [{ name: "data" }, { name: "pics" }] };
const { settings, members } = withBuckets(entry);
const [ana] = members as [Member];
const [secret, config, secondSecret, secondConfig] = ["data", "pics"].flatMap((name) => [
  `Secret ana/${name}`,
  `ConfigMap ana/${name}`,
]) as [string, string, string, string];

const made: ManagedObject = managedObject("ana");
const labelled = { ...made, labels: { ...made.labels, "kubecamp.dev/bucket": "data" } };
const theirs = { ...made, labels: {} };
const live = (managedObjects: Readonly<Record<string, ManagedObject>>) =>
  cluster({
    namespaces: new Map([
      ["ana", owned("ana")],
      ["ingress-nginx", { labels: {}, terminating: false }],
    ]),
    managedObjects: new Map(Object.entries(managedObjects)),
  });
const keyOf = ({ kind, namespace, name }: { kind: string; namespace: string | undefined; name: string }) =>
  `${kind} ${namespace}/${name}`;

describe("what stands in a member's namespace for their buckets", () => {
  it("declares a Secret and a ConfigMap for each bucket", () => {
    const declared = planned(ana, settings, live({})).declared.map(keyOf);
    const ofBuckets = declared.filter((key) => /^(Secret|ConfigMap) /.test(key));
    assert.deepEqual(ofBuckets, [secret, secondSecret, config, secondConfig]);
  });

  describe("finds room", () => {
    const quota = (hard: Record<string, string>, used: Record<string, string>) => ({
      "ResourceQuota ana/quota": managedObject("ana", { status: { hard, used } }),
    });

    it("leaves out, and reports, a bucket's objects without room in the quota", () => {
      const full = live(quota({ "count/secrets": "22", "count/configmaps": "24" }, { "count/secrets": "21" }));
      const { made, leftOut } = planned(ana, settings, full).buckets;
      assert.deepEqual(leftOut.map(keyOf), [secret, secondSecret]);
      assert.deepEqual(made.map(keyOf), [config, secondConfig]);
      const hasSecret = planned(ana, settings, full).declared.some(({ kind }) => kind === "Secret");
      assert.equal(hasSecret, false);
      assert.match(
        textOf(bucketObstacles(planOf(members, settings, full))) ?? "",
        /\n {2}ana: Secret ana\/data and Secret ana\/pics can't be made: the quota holds 21 Secrets of 22; delete/,
      );
    });
  });

  it("reports nothing of buckets' objects that a preview may not read", () => {
    const quota = managedObject("ana", {
      status: { hard: { "count/secrets": "22" }, used: { "count/secrets": "22" } },
    });
    const unread = { offline: false, kinds: new Map([["Secret", "no"]] as const) };
    const snapshot = { ...live({ "ResourceQuota ana/quota": quota }), unread };
    assert.deepEqual(planned(ana, settings, snapshot).buckets.made.map(keyOf), [
      secret,
      config,
      secondSecret,
      secondConfig,
    ]);
  });

  describe("that is somebody else's", () => {
    const found = (managedObjects: Readonly<Record<string, ManagedObject>>) => {
      const { left, leftOut, reasons } = planned(ana, settings, live(managedObjects)).buckets;
      return { left: left.map(keyOf), leftOut: leftOut.map(keyOf), reasons };
    };
    const line =
      "Secret 'ana/data' is there, and not kubecamp's; call the bucket otherwise (name), or have the member rename it, " +
      "or delete it if nobody needs it ('kubectl delete -n ana secret/data')";

    it("leaves out, and reports, a bucket's object whose name another has, even with 'adopt'", () => {
      const managedObjects = { [secret]: theirs };
      assert.deepEqual(found(managedObjects), { left: [], leftOut: [secret], reasons: [line] });
      for (const who of [ana, { ...ana, adopt: true }]) {
        assert.deepEqual(refusalTexts(obstacles(planOf([who], settings, live(managedObjects)))), []);
        assert.equal(planned(who, settings, live(managedObjects)).declared.map(keyOf).includes(secret), false);
      }
      assert.ok(textOf(bucketObstacles(planOf(members, settings, live(managedObjects))))?.includes(`\n  ana: ${line}`));
    });

    it("leaves a bucket's object unchanged that a member has replaced", () => {
      assert.deepEqual(found({ [secret]: theirs, [config]: labelled }), {
        left: [secret],
        leftOut: [],
        reasons: [line],
      });
      assert.deepEqual(found({ [secret]: theirs, [secondConfig]: labelled }).left, []);
    });
  });
});
