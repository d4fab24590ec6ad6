import assert from "node:assert/strict";
import { replacementText, sectionsOf } from "../../../../commands/report/print/sections.ts";
import { alarmsIn, metBy, summaryOf } from "../../../../commands/report/print/summary.ts";
import { leavingMembers } from "../../../../plan/findings/leaving.ts";
import type { Finding } from "../../../../plan/words/finding.ts";
import { inhabitedBy, numbered } from "../../cluster/leaving.ts";
import { planOf } from "../../plan/planned.ts";
import { configuration } from "../../samples.ts";
import {
  editedByHand,
  error,
  home,
  leaving,
  pending,
  reportOfEdit,
  reportOn,
  type SampleStep,
  urn,
} from "./previews.ts";

const quotaUrn = urn("kubernetes:core/v1:ResourceQuota", "bob/quota");
const quota = (cpu: string, applied = "1") => ({
  inputs: {
    kind: "ResourceQuota",
    metadata: { name: "quota", namespace: "bob", annotations: { "kubecamp.dev/applied": applied } },
    spec: { hard: { "limits.cpu": cpu } },
  },
});
const update = (old: object, made: object, more: object = {}): SampleStep => ({
  op: "update",
  urn: quotaUrn,
  old,
  new: made,
  ...more,
});
const serviceUrn = urn("kubernetes:core/v1:Service", "bob/service");
const service = (made: string, more: object = {}) => ({
  inputs: {
    kind: "Service",
    metadata: { name: "bob-svc", namespace: "bob", annotations: { "kubecamp.dev/made": made } },
    spec: { ports: [{ port: 80 }] },
  },
  ...more,
});

describe("the steps of a preview", () => {
  it("reports who joins, leaves, changes or is pending, and whose route opens, closes or moves", async () => {
    const user = (member: string, more: object = {}) => ({ member, type: "user", ...more });
    const report = await reportOfEdit({
      before: { members: [user("ann"), user("bob"), user("cem"), user("dan"), user("eve")] },
      after: {
        members: [
          user("bob", { maxCPUm: 900 }),
          user("cem"),
          user("dan", { route: { path: "/d" } }),
          user("eve"),
          user("fay"),
          user("gil"),
        ],
      },
      open: [
        ["ann", "cem", "dan"],
        ["dan", "eve"],
      ],
      warnings: [{ code: "closing", member: "cem", facts: { reason: "no Service" } }],
    });
    assert.equal(summaryOf(report), "2 join, 1 leaves, 1 changes, 1 route opens, 2 routes close, 1 route moves");
    assert.deepEqual(
      report.routes.map(({ member, change, url, from = "", reason }) => [member, change, url, from, reason].join(" ")),
      [
        "ann closes https://camp.example.org/ann/  leaves the list",
        "cem closes https://camp.example.org/cem/  no Service",
        "dan moves https://camp.example.org/d/ https://camp.example.org/dan/ ",
        "eve opens https://camp.example.org/eve/  ",
      ],
    );
    assert.deepEqual(report.leaving, [
      { member: "ann", type: "user", namespaceDeleted: true, lost: undefined, objects: 10 },
    ]);
    assert.deepEqual(report.joining[0], {
      member: "fay",
      type: "user",
      subjects: ["oidc:fay"],
      quota: ["CPU 500m", "memory 500 MiB", "pods 50", "PVCs 5", "storage of all PVCs 5000 MiB"],
      notes: [],
      url: undefined,
    });
    assert.deepEqual([report.shared, report.putBack, report.replacements], [[], [], []]);
  });

  it("reports nothing where everything stays, but what is pending", async () => {
    const raw = { members: [{ member: "bob", type: "user" }] };
    const summaryWith = async (...warnings: readonly Finding[]) =>
      summaryOf(await reportOfEdit({ before: raw, after: raw, warnings }));
    assert.equal(await summaryWith(), "Nothing changes.");
    assert.equal(await summaryWith(pending("bob")), "Nothing changes. 1 pending");
  });

  it("reports a route that becomes another kind as moved, and none as lost", async () => {
    const members = [{ member: "bob", type: "user" }];
    const gateway = { kind: "gateway", namespace: "g", gateway: { name: "public" } };
    const { routes, changing } = await reportOfEdit({
      before: { members, route: { host: "camp.example.org" } },
      after: { members, route: { host: "new.example.org", ...gateway } },
      open: [["bob"], ["bob"]],
    });
    assert.deepEqual(routes, [
      {
        member: "bob",
        change: "moves",
        url: "https://new.example.org/bob/",
        from: "https://camp.example.org/bob/",
        reason: "HTTPRoute instead of Ingress of class nginx",
      },
    ]);
    assert.deepEqual(
      changing.flatMap(({ differences }) => differences.map(({ what }) => what)),
      ["network, in", "rights"],
    );
  });

  it("reports a second controller of an open path as that, and neither as a path that opens nor as one that closes", async () => {
    const members = [{ member: "bob", type: "user" }];
    const nginx = { host: "camp.example.org", controller: "ingress-nginx", rewrite: "strip" };
    const both = { ...nginx, also: { controller: "traefik" } };
    const { also: _, ...traefik } = { ...both, controller: "traefik" };
    const open: [string[], string[]] = [["bob"], ["bob"]];
    const edited = async (before: object, after: object) => {
      const { routes, changing } = await reportOfEdit({
        before: { members, route: before },
        after: { members, route: after },
        open,
      });
      const differences = changing.flatMap((each) => each.differences);
      return [...routes.map(({ change }) => change), ...differences.map((each) => Object.values(each).join(" "))];
    };
    const [joins, goes] = [await edited(nginx, both), await edited(both, traefik)];
    assert.deepEqual(
      joins.filter((line) => !line.startsWith("network")),
      ["also serves the path Ingress of class traefik"],
    );
    assert.deepEqual(
      goes.filter((line) => !line.startsWith("network")),
      ["also serves the path Ingress of class nginx"],
    );
  });

  it("reports what is put back after changes by hand, where nothing else is different", () => {
    const again = update(quota("1", "a"), quota("1", "a.77"));
    const named = { warnings: [editedByHand("ResourceQuota bob/quota")] };
    const expected = [{ name: "ResourceQuota bob/quota", text: "" }];
    assert.deepEqual(reportOn([again]).putBack, expected);
    assert.deepEqual(reportOn([again], named).putBack, expected);
    // What did not stay is not said to be put back.
    const unkept: Finding = { code: "notKept", object: "ResourceQuota bob/quota", facts: { fields: [] } };
    assert.deepEqual(reportOn([again], { warnings: [unkept] }).putBack, []);
    // Edited in the list as well as by hand.
    const both = update(quota("1", "a"), quota("2", "a.77"), { detailedDiff: { rules: {} } });
    const edited = reportOn([both], named);
    const cpu = { what: "CPU", from: "1", to: "2" };
    assert.deepEqual([edited.putBack, edited.changing], [expected, [{ member: "bob", differences: [cpu] }]]);
    // With a refresh, what was found on the cluster is what it was before.
    const refresh = { op: "refresh", urn: urn("kubernetes:core/v1:Namespace", "bob/namespace") };
    const found = reportOn([refresh, update(quota("9", "a"), quota("1", "a.77"))], named);
    const back = [{ name: "ResourceQuota bob/quota", text: "CPU 9 → 1" }];
    assert.deepEqual([found.putBack, found.changing], [back, []]);
  });

  it("reports no changes by hand without a cluster", () => {
    const facts = { matter: "routes", clusterId: undefined, routeNamespace: "x", isStateKnown: true } as const;
    const report = reportOn([update(quota("1", "a.77"), quota("1", "a"))], { warnings: [{ code: "offline", facts }] });
    assert.deepEqual([report.putBack, report.changing], [[], []]);
    assert.equal(summaryOf(report), "Nothing changes. (offline: no cluster was asked)");
    const pods: Finding = { code: "unchecked", object: "Pods", facts: { matter: "what runs", answer: "no" } };
    const unchecked = reportOn([], { warnings: [pods] });
    assert.equal(summaryOf(unchecked), "Nothing changes. (not all of it could be checked)");
  });

  it("reports what a refresh has found gone as brought back, and nobody as joining by that", () => {
    const of = { urn: urn("kubernetes:core/v1:Namespace", "bob/namespace") };
    const state = { inputs: { kind: "Namespace", metadata: { name: "bob" } } };
    const report = reportOn([
      { op: "delete", ...of, old: state },
      { op: "create", ...of, new: state },
      { op: "refresh", urn: quotaUrn, old: quota("1"), new: quota("2") },
    ]);
    assert.deepEqual(report.putBack, [{ name: "Namespace bob", text: "it is gone, and made anew" }]);
    assert.deepEqual([report.joining, report.leaving, report.changing], [[], [], []]);
  });

  it("reports loudly what is replaced", () => {
    const states = { old: quota("1"), new: quota("2") };
    const steps = ["create-replacement", "replace", "delete-replaced"].map((op) => ({ op, urn: quotaUrn, ...states }));
    const report = reportOn(steps);
    const differences = [{ what: "CPU", from: "1", to: "2" }];
    const replaced = { object: "ResourceQuota bob/quota", change: "replaced", member: "bob", differences };
    assert.deepEqual(report.replacements, [replaced]);
    assert.equal(summaryOf(report), "1 object is replaced");
    assert.deepEqual(alarmsIn(report), ["replacement"]);
    const state = { inputs: { kind: "Namespace", metadata: { name: "bob" } } };
    const anew = { op: "replace", urn: urn("kubernetes:core/v1:Namespace", "bob/namespace") };
    const lost = reportOn([{ ...anew, old: state, new: state }]);
    assert.deepEqual([alarmsIn(lost), lost.joining, lost.leaving], [["removal", "replacement"], [], []]);
    assert.match(replacementText(lost).join(), /All that is in a replaced namespace is lost\./);
    assert.doesNotMatch(replacementText(report).join(), /namespace/);
    const left = { op: "delete", urn: quotaUrn, old: { ...quota("1"), delete: true } };
    assert.equal(reportOn([left]).replacements.length, 1);
  });

  it("reports no replacement where kubecamp's own Service is applied again, or let go of", () => {
    const kept = { retainOnDelete: true };
    const states = { old: service("1", kept), new: service("2", kept) };
    const again = reportOn([{ op: "replace", urn: serviceUrn, ...states }]);
    const differences = (texts: object) => [
      { member: "bob", differences: [{ what: "Service bob/bob-svc", ...texts }] },
    ];
    assert.deepEqual([again.replacements, again.changing], [[], differences({ to: "applied again" })]);
    const gone = reportOn([{ op: "delete", urn: serviceUrn, old: service("1", kept) }]);
    assert.deepEqual(gone.changing, differences({ from: "kubecamp's, and now the member's own" }));
  });

  it("reports nothing as deleted of who is still there and unknown to Pulumi's state", () => {
    const { stranded, leaving: gone } = reportOn([], { warnings: [leaving("zoe", { bindings: 1 })] });
    const zoe = { name: "zoe", text: "access (1 binding)", losesNamespace: false, isOnTheirWay: false };
    assert.deepEqual([stranded, gone], [[zoe], []]);
  });

  it("reports as lost what 'kubecamp up', unlike 'pulumi up', deletes of who is not in the state", () => {
    const toldOf = (deletesStranded: boolean, contents = home(0).home) => {
      const report = reportOn([], { warnings: [leaving("zoe", { home: contents })] }, { deletesStranded });
      return [summaryOf(report), metBy(report, ["removal", "change"]), sectionsOf(report)[0]?.weight];
    };
    assert.deepEqual(toldOf(true), ["1 left behind", ["removal", "change"], "danger"]);
    assert.deepEqual(toldOf(false), ["Nothing changes. 1 left behind", [], "warning"]);
    // Nothing is left to do about a namespace that goes already.
    assert.deepEqual(toldOf(true, { ...home(0).home, isTerminating: true }), ["Nothing changes.", [], "warning"]);
  });

  it("claims nothing as kept for leavers after a preview that failed before deletions", () => {
    const { settings } = configuration({ members: [] });
    const names = numbered(22);
    const warnings = leavingMembers(planOf([], settings, inhabitedBy(...names)));
    const report = reportOn([], { warnings, ...error("no quota for bob") });
    assert.deepEqual([report.failed, report.stranded], [true, []]);
    assert.deepEqual(
      report.leaving.map(({ member, namespaceDeleted }) => [member, namespaceDeleted]),
      names.map((name) => [name, true]),
    );
  });

  it("reports steps of an operation that nobody knows yet", () => {
    const report = reportOn([{ ...update(quota("1"), quota("2")), op: "transmogrify" }]);
    assert.deepEqual(report.changing, [{ member: "bob", differences: [{ what: "CPU", from: "1", to: "2" }] }]);
  });
});
