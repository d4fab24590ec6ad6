import assert from "node:assert/strict";
import { staffAt } from "../../../../config/staff.ts";
import { atMoment } from "../../../../plan/decisions/sleep.ts";
import { type Divergence, findings } from "../../../../watch/live/findings.ts";
import { ca } from "../../certificates.ts";
import { planned, plannedBy } from "../../plan/planned.ts";
import { configuration, labelsOf } from "../../samples.ts";
import { fitService, type Live, LiveStack, liveOf, objectsOf } from "./liveStack.ts";

const members = [
  { member: "alice", type: "admin" },
  { member: "bob", type: "user" },
  { member: "carol", type: "guest-user" },
  { member: "dave", type: "user", suspended: true },
  { member: "erin", type: "user", route: false },
];
const https = { host: "camp.example.org", backendProtocol: "HTTPS", backendTls: { ca } };
const gateway = { route: { kind: "gateway", namespace: "gateways", gateway: { name: "public" }, ...https } };
const ingresses = {};
const traefik = { route: { controller: "traefik", place: "controller", rewrite: "strip", ...https } };
const stacks: Record<string, Record<string, unknown>> = {
  "of Ingresses": ingresses,
  "at Traefik": traefik,
  "at a Gateway": gateway,
};
const wholes = new Map<object, LiveStack>();
const stackOf = (more: Record<string, unknown> = ingresses) => {
  const whole = wholes.get(more) ?? new LiveStack(configuration({ members, ...more }));
  wholes.set(more, whole);
  return whole.copy();
};
const found = (stack: LiveStack) => findings(plannedBy(stack.configuration, stack.snapshot()));
const of = (member: string, what: Divergence["what"], object: string): Divergence => ({ member, what, object });
const bobs = (what: Divergence["what"], object: string) => of("bob", what, object);
const ingress = "Ingress ingress-nginx/bob";
const twin = "Service ingress-nginx/bob-svc";
const service = "Service bob/bob-svc";
const binding = "RoleBinding bob/kubecamp-edit";

const applied = { annotations: { "kubecamp.dev/applied": "0123456789abcdef.7" } };
const annotated = (key: string) => ({ annotations: { [key]: "x" } });

describe("findings", () => {
  it("finds no route to open whose address is somebody else's already", () => {
    const stack = stackOf();
    const door = stack.objects.get(ingress);
    stack.delete(ingress);
    stack.delete(twin);
    assert.deepEqual(found(stack), [bobs("route opens", ingress)]);
    const { name: _, labels: __, annotations: ___, ...metadata } = door?.metadata ?? assert.fail();
    stack.objects.set("Ingress ingress-nginx/site", { ...door, metadata: { ...metadata, name: "site" } });
    assert.deepEqual(found(stack), []);
  });

  it("finds nothing of a namespace that was deleted in a member's grace: no run makes another", () => {
    const { settings, members: all } = configuration({ members });
    const left = all.map((member) =>
      member.name === "dave" ? ({ ...member, standing: "suspended", leaves: "2026-07-15" } as const) : member,
    );
    const stack = new LiveStack({ settings, members: left });
    assert.deepEqual(found(stack), []);
    stack.delete(...[...stack.objects.keys()].filter((key) => /^Namespace dave$| dave\//.test(key)));
    assert.deepEqual(found(stack), []);
  });

  for (const [what, more] of Object.entries(stacks)) {
    it(`finds every deleted object, and only those, of a stack ${what}`, () => {
      for (const key of stackOf(more).objects.keys()) {
        const stack = stackOf(more);
        stack.delete(key);
        const reported = found(stack).map(({ object }) => object);
        const member = /(alice|bob|carol)-svc$/.exec(key)?.[1];
        if (member !== undefined && key.startsWith(`Service ${member}/`)) {
          const door = [...stack.objects.keys()].find((it) =>
            new RegExp(`^(Ingress|HTTPRoute) .*/${member}$`).test(it),
          );
          assert.deepEqual(reported, [door], key);
        } else if (!key.startsWith("Service dave/")) {
          assert.deepEqual(reported, [key], key);
        }
      }
    });

    it(`finds every object with a changed label, and only those, of a stack ${what}`, () => {
      for (const key of stackOf(more).objects.keys()) {
        const stack = stackOf(more);
        stack.mark(key, { labels: { "app.kubernetes.io/part-of": "else" } });
        const reported = found(stack).map(({ what, object }) => ({ what, object }));
        const isTheirs = /^Service (\w+)\/\1-svc$/.test(key);
        assert.deepEqual(reported, isTheirs ? [] : [{ what: "changed", object: key }], key);
      }
    });
  }

  const one: [what: string, act: (stack: LiveStack) => void, findings: Divergence[]][] = [
    [
      "a route that opens, of which nothing is there",
      (stack) => stack.delete(ingress, twin),
      [bobs("route opens", ingress)],
    ],
    [
      "a route that closes, since the Service is gone",
      (stack) => stack.delete(service),
      [bobs("route closes", ingress)],
    ],
    [
      "a route that closes, also where its Ingress is gone",
      (stack) => stack.delete(service, ingress),
      [bobs("route closes", ingress)],
    ],
    ["nothing of a route that is closed, and pending", (stack) => stack.delete(service, ingress, twin), []],
    [
      "nothing of what has the route's name, and is another's",
      (stack) => {
        stack.delete(service, twin);
        stack.mark(ingress, { labels: { "kubecamp.dev/member": "alice" } });
      },
      [],
    ],
    ["half a route", (stack) => stack.delete(twin), [bobs("missing", twin)]],
    [
      "a Service that leads elsewhere",
      (stack) => stack.change(twin, ({ spec }) => ({ spec: { ...Object(spec), externalName: "evil.example.org" } })),
      [bobs("changed", twin)],
    ],
    [
      "a subject that was added by hand",
      (stack) => stack.change(binding, () => ({ subjects: [{ kind: "User", name: "oidc:bob" }, { kind: "User" }] })),
      [bobs("changed", binding)],
    ],
    [
      "an undeclared annotation of the ingress controller's, and a label of kubecamp's",
      (stack) => {
        stack.mark(ingress, annotated("nginx.ingress.kubernetes.io/configuration-snippet"));
        stack.mark(twin, annotated("nginx.ingress.kubernetes.io/service-upstream"));
        stack.mark("Namespace bob", { labels: { "kubecamp.dev/protected": "true" } });
      },
      [bobs("changed", "Namespace bob"), bobs("changed", twin), bobs("changed", ingress)],
    ],
    [
      "nothing in what members put onto their own, or others onto kubecamp's for themselves",
      (stack) => {
        stack.mark(service, annotated("nginx.ingress.kubernetes.io/service-upstream"));
        stack.mark(ingress, annotated("acme.cert-manager.io/http01-edit-in-place"));
      },
      [],
    ],
    [
      "a binding to another role",
      (stack) => stack.change(binding, () => ({ roleRef: { kind: "Role", name: "other" } })),
      [bobs("changed", binding)],
    ],
    [
      "what is declared otherwise than the last up did",
      (stack) => stack.mark("LimitRange bob/default-limits", applied),
      [bobs("changed", "LimitRange bob/default-limits")],
    ],
    [
      "nothing in a quota's use, and a resource more that the quota holds",
      (stack) =>
        stack.change("ResourceQuota bob/quota", ({ spec }) => ({
          spec: { hard: { ...Object(spec).hard, secrets: "5" } },
          status: { used: { pods: "9" } },
        })),
      [],
    ],
    [
      "a changed ClusterRole, which is no member's",
      (stack) => stack.delete("ClusterRole kubecamp:dev:view"),
      [{ member: undefined, what: "missing", object: "ClusterRole kubecamp:dev:view" }],
    ],
    [
      "a deleted namespace once, with all its objects, and a route that leads nowhere",
      (stack) => stack.delete(...[...stack.objects.keys()].filter((key) => / bob(\/|$)/.test(key))),
      [bobs("missing", "Namespace bob"), bobs("route closes", ingress)],
    ],
    [
      "only a route to close while its namespace is deleted, where nothing can be made",
      (stack) => {
        stack.delete(service, binding, "NetworkPolicy bob/isolation");
        stack.mark("Namespace bob", { deletionTimestamp: new Date() });
      },
      [bobs("route closes", ingress)],
    ],
  ];
  for (const [what, act, expected] of one) {
    it(`finds ${what}`, () => {
      const stack = stackOf();
      act(stack);
      assert.deepEqual(found(stack), expected);
    });
  }

  it("finds other things on an unchanged cluster when the configuration has changed", () => {
    const stack = stackOf();
    const snapshot = stack.snapshot();
    assert.deepEqual(findings(plannedBy(stack.configuration, snapshot)), []);
    const other = configuration({
      members: members.map((entry) => (entry.member === "bob" ? { ...entry, numOfPVCs: 7 } : entry)),
    });
    assert.deepEqual(findings(plannedBy(other, snapshot)), [bobs("changed", "ResourceQuota bob/quota")]);
  });

  describe("where a run waits for Services", () => {
    const waiting = { route: { host: "camp.example.org", readiness: { mode: "wait" } } };

    it("finds a route that leads nowhere, whole or in part, where runs wait but the watch does not", () => {
      const stack = stackOf(waiting);
      stack.delete(service);
      assert.deepEqual(found(stack), [bobs("route closes", ingress)]);
      stack.delete(ingress);
      assert.deepEqual(found(stack), [bobs("route closes", ingress)]);
      stack.delete(twin);
      assert.deepEqual(found(stack), []);
    });
  });

  describe("where kubecamp makes the Services", () => {
    const managed = { route: { host: "camp.example.org", readiness: { mode: "managed" } } };
    const stackWith = (change: (live: Live) => object) => {
      const stack = stackOf(managed);
      for (const member of stack.configuration.members.filter(({ route }) => route !== undefined)) {
        const made = { "kubecamp.dev/made": "2026-06-15" };
        const { metadata, spec } = fitService(member, stack.configuration);
        stack.objects.set(`Service ${member.name}/${member.name}-svc`, {
          metadata: { ...metadata, labels: labelsOf(member.name), annotations: made },
          spec,
        });
      }
      stack.change(service, change);
      return stack;
    };

    it("finds kubecamp's own Service that is gone, and keeps its route", () => {
      const stack = stackWith(() => ({}));
      stack.delete(service);
      assert.deepEqual(found(stack), [bobs("missing", service)]);
    });

    it("finds a Service that leads to an earlier target port, unless the member has chosen it", () => {
      for (const [given, expected] of [
        ["9000", [bobs("changed", service)]],
        ["8080", []],
      ] as const) {
        const stack = stackWith(({ metadata, spec }) => ({
          metadata: { ...metadata, annotations: { ...metadata?.annotations, "kubecamp.dev/target-port": given } },
          spec: { ...Object(spec), ports: [{ port: 80, protocol: "TCP", targetPort: 9000 }] },
        }));
        assert.deepEqual(found(stack), expected);
      }
    });

    it("finds no Service that the quota has no room for, but the route of the pending member", () => {
      const stack = stackWith(() => ({}));
      stack.delete(service);
      const resource = "count/services";
      const fill = (used: string) =>
        stack.change("ResourceQuota bob/quota", () => ({
          status: { hard: { [resource]: "40" }, used: { [resource]: used } },
        }));
      fill("40");
      assert.deepEqual(found(stack), [bobs("route closes", ingress)]);
      const { settings, members: all } = stack.configuration;
      const states = all.map((member) => [member.name, planned(member, settings, stack.snapshot()).readiness.state]);
      assert.deepEqual(Object.fromEntries(states), {
        alice: "ready",
        bob: "pending",
        carol: "ready",
        dave: "suspended",
        erin: "ready",
      });
      stack.delete(ingress, twin);
      assert.deepEqual(found(stack), []);
      fill("39");
      assert.deepEqual(found(stack), [bobs("missing", service), bobs("route opens", ingress)]);
    });

    it("finds a Service of kubecamp's that has to be mended or taken over", () => {
      const unselected = stackWith(({ spec }) => ({ spec: { ...Object(spec), selector: {} } }));
      assert.deepEqual(found(unselected), [bobs("changed", service)]);
      const theirs = stackWith(({ metadata }) => ({ metadata: { ...metadata, annotations: {} } }));
      assert.deepEqual(found(theirs), [bobs("changed", service)]);
    });

    it("finds the route of a Service that can't be mended, and not the Service", () => {
      const stack = stackWith(({ spec }) => ({ spec: { ...Object(spec), clusterIP: "None" } }));
      assert.deepEqual(found(stack), [bobs("route closes", ingress)]);
    });
  });
});

describe("findings of starter apps", () => {
  const starters = {
    members: [
      { member: "kit", type: "user", starter: "kept" },
      { member: "lee", type: "user", starter: "once" },
    ],
  };
  const stackOf = () => new LiveStack(configuration(starters));
  const parts = (name: string) => [`ConfigMap ${name}/starter-pages`, `Deployment ${name}/starter`];
  const service = (name: string) => `Service ${name}/${name}-svc`;
  const role = (name: string) => `Role ${name}/kubecamp-edit`;
  const unmark = (stack: LiveStack, name: string) =>
    stack.change(role(name), ({ metadata }) => {
      const { "kubecamp.dev/starter": _, ...annotations } = metadata?.annotations ?? {};
      return { metadata: { ...metadata, annotations } };
    });

  it("finds nothing of a starter app that the quota has no room for, as no run makes that", () => {
    const stack = stackOf();
    const used = (count: string) => () => ({
      status: { hard: { "count/deployments.apps": "100" }, used: { "count/deployments.apps": count } },
    });
    stack.delete("Deployment kit/starter");
    stack.change("ResourceQuota kit/quota", used("100"));
    assert.deepEqual(found(stack), []);
    stack.change("ResourceQuota kit/quota", used("99"));
    assert.deepEqual(found(stack), [of("kit", "missing", "Deployment kit/starter")]);
  });

  it("finds nothing in how a starter app's pods are replaced, whatever the member uses by now", () => {
    const stack = stackOf();
    const { settings, members } = stack.configuration;
    const { base } = objectsOf(members[0] ?? assert.fail(), settings);
    const { args } = base.find(({ kind }) => kind === "Deployment") ?? assert.fail();
    const strategies = [
      { maxSurge: 1, maxUnavailable: 0 },
      { maxSurge: 1, maxUnavailable: 1 },
    ];
    for (const rollingUpdate of strategies) {
      const spec = { ...Object(Reflect.get(args, "spec")), strategy: { type: "RollingUpdate", rollingUpdate } };
      stack.objects.set("Deployment kit/starter", liveOf({ kind: "Deployment", args: { ...args, ...{ spec } } }));
      for (const pods of ["1", "50"]) {
        stack.change("ResourceQuota kit/quota", () => ({ status: { hard: { pods: "50" }, used: { pods } } }));
        assert.deepEqual(found(stack), [], `${pods} pods`);
      }
    }
  });

  it("finds a kept starter app that is gone or changed, and the Service that leads there", () => {
    for (const key of parts("kit")) {
      const stack = stackOf();
      stack.delete(key);
      assert.deepEqual(found(stack), [of("kit", "missing", key)]);
    }
    const stack = stackOf();
    stack.change("Deployment kit/starter", ({ spec }) => ({ spec: { ...Object(spec), replicas: 0 } }));
    stack.delete(service("kit"));
    assert.deepEqual(found(stack), [
      of("kit", "changed", "Deployment kit/starter"),
      of("kit", "missing", service("kit")),
    ]);
  });

  it("finds nothing of a starter app that was made once, however changed, but for the route", () => {
    const stack = stackOf();
    stack.change("Deployment lee/starter", ({ spec }) => ({ spec: { ...Object(spec), replicas: 0 } }));
    stack.delete("ConfigMap lee/starter-pages");
    assert.deepEqual(found(stack), []);
    stack.delete(service("lee"));
    assert.deepEqual(found(stack), [of("lee", "route closes", "Ingress ingress-nginx/lee")]);
  });

  it("finds what an interrupted run has left to do for a starter app", () => {
    const stack = stackOf();
    stack.delete("Deployment lee/starter");
    unmark(stack, "lee");
    assert.deepEqual(found(stack), [of("lee", "missing", "Deployment lee/starter"), of("lee", "changed", role("lee"))]);
  });

  it("finds nothing where something else stands in a starter app's place, left to the member", () => {
    const stack = stackOf();
    for (const name of ["kit", "lee"]) {
      stack.change(`Deployment ${name}/starter`, ({ metadata }) => ({
        metadata: { ...metadata, labels: {}, annotations: {} },
      }));
    }
    assert.deepEqual(found(stack), []);
    const before = new LiveStack(
      configuration({ members: starters.members.map((each) => ({ ...each, starter: "off" })) }),
    );
    before.objects.set("Deployment lee/starter", { metadata: { name: "starter", namespace: "lee" } });
    before.objects.set("Deployment kit/starter", { metadata: { name: "starter", namespace: "kit" } });
    const { configuration: _, ...there } = before;
    assert.deepEqual(found(Object.assign(stackOf(), there)), []);
  });

  describe("of staff with a lease", () => {
    const { settings, members: all } = configuration({
      staff: [
        { subject: "tina", role: "view" },
        { subject: "tina", role: "assist", until: "2026-11-26T18:00Z" },
        { group: "tas", role: "edit", until: "2026-11-26T18:00Z", over: { members: ["bob"] } },
        { group: "oncall", role: "edit" },
      ],
      members: [{ member: "bob", type: "user", route: false }],
    });
    const asIn = (time: string) => ({
      settings,
      members: [...staffAt(all, settings, new Date(`2026-11-26T${time}Z`))],
    });
    const at = (time: string, stack: LiveStack) => findings(plannedBy(asIn(time), stack.snapshot()));
    const binding = (role: string) => `RoleBinding bob/kubecamp:staff-${role}`;

    it("finds nothing while it runs, and once an up has taken it back", () => {
      assert.deepEqual(at("17:59:59", new LiveStack(asIn("12:00:00"))), []);
      assert.deepEqual(at("18:00:00", new LiveStack(asIn("18:00:00"))), []);
    });

    it("finds its end in bindings that go and that stay, and no change by hand", () => {
      const ends = [bobs("staff ends", binding("assist")), bobs("staff ends", binding("edit"))];
      assert.deepEqual(at("18:00:00", new LiveStack(asIn("12:00:00"))), ends);
    });

    it("finds a lease that somebody has made longer by hand", () => {
      const stack = new LiveStack(asIn("18:00:00"));
      stack.mark(binding("edit"), { annotations: { "kubecamp.dev/staff-until": "group tas until 2099-12-31" } });
      assert.deepEqual(at("18:00:00", stack), [bobs("staff ends", binding("edit"))]);
    });
  });

  describe("of who sleeps by a schedule", () => {
    const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *" };
    const { settings, members: all } = configuration({ members: [{ member: "bob", type: "user", schedule }] });
    const slept = { "kubecamp.dev/slept": "2026-11-26T20:00:00.000Z" };
    const at = (time: string, stack: LiveStack) => {
      const snapshot = stack.snapshot();
      const members = atMoment(all, snapshot, new Date(`2026-11-26T${time}:00Z`));
      return findings(plannedBy({ settings, members }, snapshot));
    };
    const marked = (stack: LiveStack) => {
      stack.mark("Namespace bob", { annotations: slept });
      return stack;
    };
    const asIn = (time: string) => {
      const members = atMoment(all, { managedObjects: new Map() }, new Date(`2026-11-26T${time}:00Z`));
      return new LiveStack({ settings, members });
    };

    it("finds one change for who falls asleep, and the path that closes, until the up is through", () => {
      assert.deepEqual(at("21:00", asIn("12:00")), [
        bobs("falls asleep", "Namespace bob"),
        bobs("route closes", ingress),
      ]);
      // The objects are as declared, and the pods may run.
      assert.deepEqual(at("21:00", asIn("21:00")), [bobs("falls asleep", "Namespace bob")]);
      assert.deepEqual(at("21:00", marked(asIn("21:00"))), []);
    });

    it("finds one change for who wakes in the morning, and the path that opens", () => {
      assert.deepEqual(at("08:00", marked(asIn("21:00"))), [
        bobs("wakes", "Namespace bob"),
        bobs("route opens", ingress),
      ]);
      assert.deepEqual(at("08:00", marked(asIn("08:00"))), [bobs("wakes", "Namespace bob")]);
      assert.deepEqual(at("08:00", asIn("08:00")), []);
    });

    it("finds one change for who may not wake, whatever else there is, until the ConfigMap is gone", () => {
      const stack = marked(asIn("21:00"));
      stack.objects.delete(binding);
      const members = atMoment(all, stack.snapshot(), new Date("2026-11-26T21:00:00Z"));
      const refused = members.map((each) => (each.name === "bob" ? { ...each, wakeAnswer: {} } : each));
      const found = findings(plannedBy({ settings, members: refused }, stack.snapshot()));
      assert.deepEqual(found, [bobs("wake refused", "ConfigMap bob/wake"), bobs("missing", binding)]);
    });

    it("finds what is missing of who sleeps as of anybody once the up is through", () => {
      const stack = marked(asIn("21:00"));
      stack.objects.delete(binding);
      assert.deepEqual(at("21:00", stack), [bobs("missing", binding)]);
    });
  });
});
