import assert from "node:assert/strict";
import type { V1Pod } from "@kubernetes/client-node";
import { type Tried, unproven } from "../../../../../verify/outcome.ts";
import { judged, type Post } from "../../../../../verify/parts/network/judge.ts";
import {
  clusterTargets,
  type Facts,
  listenerTargets,
  peersOf,
  type Target,
} from "../../../../../verify/parts/network/targets.ts";
import { configuration } from "../../../samples.ts";

const podIn = (namespace: string, labels: Record<string, string>, ...addresses: string[]): V1Pod => ({
  metadata: { name: "pod", namespace, labels },
  spec: { containers: [{ name: "app", ports: [{ containerPort: 8000 }, { containerPort: 9000, protocol: "UDP" }] }] },
  status: { podIPs: addresses.map((ip) => ({ ip })) },
});

const facts: Facts = {
  apiService: { spec: { clusterIPs: ["10.96.0.1"] } },
  apiEndpoints: [{ addressType: "IPv4", endpoints: [{ addresses: ["172.18.0.2"] }], ports: [{ port: 6443 }] }],
  nodes: [{ metadata: { name: "one" }, status: { addresses: [{ type: "InternalIP", address: "172.18.0.2" }] } }],
  dns: [podIn("kube-system", { "k8s-app": "kube-dns" }, "10.0.0.2")],
  controllers: [podIn("ingress-nginx", {}, "10.0.0.3")],
};

/** At no cloud, nobody answers at metadata addresses. */
const isDead = ({ topic }: Target) => topic === "metadata";

/** Whether a plugin that enforces isolation has a target answer to a pod in a namespace. */
function usually(from: string, target: Target): boolean {
  const { topic, owner } = target;
  return from === "strange"
    ? !isDead(target) && (owner === undefined || owner === "strange")
    : owner === from || topic === "dnsUdp" || topic === "dnsTcp" || topic === "public";
}

interface Cluster {
  /** Of bob and eve. */
  readonly network?: object;
  readonly found?: Partial<Facts>;
  readonly unread?: string;
  /** Whether pods have an IPv6 address too. */
  readonly isDual?: boolean;
  /** Answers that differ; undefined for the usual ones. */
  readonly answer?: (from: string, target: Target) => boolean | undefined;
  /** Why the probe in a namespace gave no answers. */
  readonly lost?: Readonly<Record<string, string>>;
}

/** What is shown by pods of bob, of eve, and of the namespace `strange`, which is no member's. */
function shown({ network = {}, found, unread, isDual = true, answer, lost = {} }: Cluster = {}): readonly Tried[] {
  const members = ["bob", "eve"].map((member) => ({ member, type: "user", network }));
  const { settings, members: made } = configuration({ members });
  const places = [...made.map((member) => ({ namespace: member.name, member })), { namespace: "strange" }];
  const pods = places.map(({ namespace }, number) =>
    podIn(namespace, { app: "listener" }, `10.0.1.${number}`, ...(isDual ? [`fd00::${number}`] : [])),
  );
  const targets = [
    ...places.flatMap((place, number) =>
      listenerTargets(place, pods[number] ?? {}, { spec: { clusterIPs: [`10.96.1.${number}`] } }),
    ),
    ...(unread === undefined ? clusterTargets({ ...facts, ...found }, settings) : []),
  ];
  const posts = places.map((place, number): Post => {
    const { namespace } = place;
    const answers = targets.map((target) => answer?.(namespace, target) ?? usually(namespace, target));
    return { ...place, peers: peersOf(pods[number] ?? {}), answers: lost[namespace] ?? answers };
  });
  return judged({ settings, posts, targets, unread });
}

/** What is not held, each line once; without metadata, unless that is the question. */
const troubles = (cluster: Cluster, isOn = (promise: string) => !promise.includes("metadata")): string[] => [
  ...new Set(
    shown(cluster)
      .filter(({ promise, outcome }) => outcome.is !== "held" && isOn(promise))
      .map(({ promise, by, outcome }) => {
        const text =
          outcome.is === "broken" ? `BROKEN, ${outcome.tried}: ${outcome.came}` : "why" in outcome && outcome.why;
        return `${promise}; ${by}: ${text}`;
      }),
  ),
];

const onMetadata = (promise: string) => promise.includes("metadata");

describe("what connections between pods show", () => {
  it("a plugin that enforces isolation holds every promise", () => {
    assert.deepEqual(troubles({}), []);
    const held = shown().filter(({ outcome }) => outcome.is === "held");
    assert.deepEqual(
      [...new Set(held.map(({ promise }) => promise))],
      [
        "A member's pods reach each other and their Services",
        "A member's pods reach no pods and Services of other members",
        "Nor do a member's pods reach those of others over IPv6",
        "A member's pods reach no private addresses, such as those of other pods",
        "A member's pods don't reach those of the ingress controller",
        "A member's pods don't reach the API server",
        "A member's pods don't reach kubelets",
        "A member's pods can ask DNS by UDP",
        "A member's pods can ask DNS by TCP",
        "A member's pods reach public addresses",
        "Pods that are no member's reach no pods and Services of members",
      ],
    );
  });

  it("a plugin that ignores policies breaks each promise that it could", () => {
    const all = troubles({ answer: (_, target) => !isDead(target) });
    assert.deepEqual(
      [...new Set(all.map((line) => line.replace(/;.*/, "")))],
      [
        "A member's pods reach no pods and Services of other members",
        "Nor do a member's pods reach those of others over IPv6",
        "A member's pods reach no private addresses, such as those of other pods",
        "A member's pods don't reach those of the ingress controller",
        "A member's pods don't reach the API server",
        "A member's pods don't reach kubelets",
        "Pods that are no member's reach no pods and Services of members",
      ],
    );
    assert.ok(
      all.every((line) => line.includes("BROKEN")),
      all.join("\n"),
    );
  });

  it("a broken promise names who reached whom", () => {
    const answer = (from: string, { owner, port }: Target) => from === "bob" && owner === "eve" && port === 80;
    assert.deepEqual(
      troubles(
        { isDual: false, answer: (...of) => answer(...of) || undefined },
        (promise) => !/IPv6|meta/.test(promise),
      ),
      [
        "A member's pods reach no pods and Services of other members; a user: BROKEN, " +
          "a connection from a pod of 'bob' (user) to the Service of 'eve' (user) (10.96.1.1:80): it was accepted",
      ],
    );
  });

  it("a policy that does not cover IPv6 breaks that promise alone", () => {
    const all = troubles({
      answer: (from, { address, owner }) =>
        (from !== "strange" && owner !== "strange" && address.startsWith("fd00::")) || undefined,
    });
    assert.equal(all.length, 2);
    assert.match(all.join("\n"), /^Nor do .*\[fd00::1\]:8080.*\nNor do .*\[fd00::0\]:8080/);
  });

  it("without IPv6, nothing is proven of it", () => {
    assert.deepEqual(troubles({ isDual: false }), [
      "Nor do a member's pods reach those of others over IPv6; a user: pods have no IPv6 address, or settings allow them",
    ]);
  });

  it("a pod that its own member does not reach breaks the promise, and proves nothing of others", () => {
    const all = troubles({ isDual: false, answer: (_, { owner }) => (owner === "eve" ? false : undefined) });
    const places = "the pod of 'eve' (user) (10.0.1.1:8080), the Service of 'eve' (user) (10.96.1.1:80)";
    const nothing = `nothing answers at ${places}, not to a pod of 'eve' (user) either, so that closed proves nothing`;
    const own =
      "A member's pods reach each other and their Services; a user: BROKEN, a connection from a pod of 'eve' (user)";
    assert.deepEqual(
      all.filter((line) => !line.includes("IPv6")),
      [
        `A member's pods reach no pods and Services of other members; a user: ${nothing}`,
        ...places.split(", ").map((to) => `${own} to ${to}: no answer, though the kubelet found that pod ready`),
        `Pods that are no member's reach no pods and Services of members; a pod of no member: ${nothing}`,
      ],
    );
  });

  it("DNS that only members don't get is broken, and DNS that nobody gets proves nothing", () => {
    const closed =
      (who: readonly string[]) =>
      (from: string, { topic }: Target) =>
        topic === "dnsTcp" && who.includes(from) ? false : undefined;
    assert.deepEqual(troubles({ answer: closed(["bob"]) }), [
      "A member's pods can ask DNS by TCP; a user: BROKEN, a connection from a pod of 'bob' (user) to DNS by TCP " +
        "(10.0.0.2:53): no answer, while a pod of 'strange' (no member's) gets one",
    ]);
    assert.match(
      troubles({ answer: closed(["bob", "eve", "strange"]) }).join("\n"),
      /^A member's pods can ask DNS by TCP; a user: nothing answers at DNS by TCP \(10\.0\.0\.2:53\).*$/,
    );
  });

  it("metadata where there is no cloud proves nothing, and one address that answers is enough", () => {
    const [line = "", ...more] = troubles({}, onMetadata);
    assert.match(line, /nothing answers at the metadata address \(169\.254\.169\.254:80\).*closed proves nothing$/);
    assert.deepEqual(more, []);
    const answers = (from: string, { address }: Target) =>
      (from === "strange" && address === "169.254.169.254") || undefined;
    assert.deepEqual(troubles({ answer: answers }, onMetadata), []);
    const leaking = (_: string, { address }: Target) => address === "169.254.169.254" || undefined;
    assert.match(troubles({ answer: leaking }, onMetadata).join("\n"), /BROKEN, a connection from a pod of 'bob'/);
  });

  it("without internet, public addresses have to be closed", () => {
    const network = { internet: false };
    assert.match(
      troubles({ network }).join("\n"),
      /^Without `internet`, a member's pods reach no public .*'bob'.*\(1\.1\.1\.1:443\): it was accepted\n/,
    );
    assert.deepEqual(
      troubles({ network, answer: (from, { topic }) => (topic === "public" ? from === "strange" : undefined) }),
      [],
    );
  });

  it("what an exception names has to be open, and nothing is proven of what plugins read differently", () => {
    const network = { egress: [{ namespace: "ingress-nginx", ports: [8000] }, { cidr: "172.18.0.2/32" }] };
    assert.deepEqual(
      troubles({ network }),
      [
        "A member's pods reach what an exception names; a user: BROKEN, a connection from a pod of 'bob' (user) to pod 'pod' " +
          "(10.0.0.3:8000): no answer, while a pod of 'strange' (no member's) gets one",
        "A member's pods don't reach the API server; a user: the Service 'kubernetes' has no endpoints, or settings allow them",
        "A member's pods don't reach kubelets; a user: no node has an internal address, or settings allow them",
        "A member's pods reach what an exception names; a user: BROKEN, a connection from a pod of 'eve' (user) to pod 'pod' " +
          "(10.0.0.3:8000): no answer, while a pod of 'strange' (no member's) gets one",
      ].filter((line, index, all) => all.indexOf(line) === index),
    );
  });

  it("one end that allows a connection between members does not open it", () => {
    assert.deepEqual(troubles({ network: { egress: [{ namespace: "eve" }] } }), []);
    const both = { egress: [{ namespace: "eve" }], ingress: [{ namespace: "bob" }] };
    const all = troubles({ network: both });
    assert.ok(
      all.length > 0 &&
        all.every((line) =>
          line.startsWith(
            "A member's pods reach what an exception names; a user: BROKEN, a connection from a pod of 'bob'",
          ),
        ),
      all.join("\n"),
    );
  });

  it("a probe that did not run proves nothing, with its reason", () => {
    const all = troubles({ lost: { bob: "ErrImagePull" } });
    assert.equal(all.length, 11 + 2);
    assert.deepEqual(
      all.filter((line) => !line.endsWith("a user: ErrImagePull")),
      [
        "A member's pods reach no pods and Services of other members; a user: nothing to compare with: ErrImagePull",
        "Nor do a member's pods reach those of others over IPv6; a user: nothing to compare with: ErrImagePull",
        "Pods that are no member's reach no pods and Services of members; a pod of no member: nothing to compare with: ErrImagePull",
      ],
    );
  });

  it("what the cluster did not list is not proven", () => {
    const why = "Can't read the Nodes";
    const all = shown({ unread: why }).filter(({ outcome }) => outcome.is !== "held");
    assert.equal(all.length, 2 * 7);
    assert.ok(all.every(({ outcome }) => JSON.stringify(outcome) === JSON.stringify(unproven(why))));
  });

  it("a controller whose pods are on the node's network is reached by no label", () => {
    const [pod] = facts.controllers;
    const controllers = [{ ...pod, spec: { containers: [], ...pod?.spec, hostNetwork: true } }];
    assert.deepEqual(troubles({ found: { controllers }, network: { egress: [{ namespace: "ingress-nginx" }] } }), []);
  });
});
