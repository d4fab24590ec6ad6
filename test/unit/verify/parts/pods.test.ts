import assert from "node:assert/strict";
import type { V1ContainerState, V1PodCondition } from "@kubernetes/client-node";
import { obstacle, placeOf, podOf } from "../../../../verify/parts/pods.ts";
import type { Stage } from "../../../../verify/stage/stage.ts";
import { configuration, member } from "../../samples.ts";

const run = { name: "probe", image: "busybox", script: "sleep 1", args: ["a"], listens: false };

/** What is in the way of a pod whose container is in a state, after some seconds. */
function inTheWay(seconds: number, state: V1ContainerState, { listens = false, containerID = "containerd://1" } = {}) {
  const container = { name: "verify", image: "", imageID: "", ready: false, restartCount: 0 };
  const containerStatuses = [{ ...container, state, ...(containerID === "" ? {} : { containerID }) }];
  return obstacle({ status: { containerStatuses } }, { listens }, seconds);
}

describe("what is in a pod's way", () => {
  it("nothing is, while the kubelet pulls and starts", () => {
    assert.equal(obstacle({}, run, 1), undefined);
    assert.equal(inTheWay(40, { waiting: { reason: "ContainerCreating" } }), undefined);
    assert.equal(inTheWay(10, { waiting: { reason: "ErrImagePull", message: "not found" } }), undefined);
    assert.equal(inTheWay(40, { running: {} }), undefined);
  });

  it("after half a minute, the kubelet's words about an image", () => {
    const message = 'Back-off pulling image "busybox"';
    assert.equal(inTheWay(31, { waiting: { reason: "ImagePullBackOff", message } }), `ImagePullBackOff: ${message}`);
  });

  it("after half a minute, the scheduler's words", () => {
    const condition: V1PodCondition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message: "no nodes available to schedule pods",
    };
    const pod = { status: { phase: "Pending", conditions: [condition] } };
    assert.equal(obstacle(pod, run, 29), undefined);
    assert.equal(obstacle(pod, run, 31), "Unschedulable: no nodes available to schedule pods");
  });

  it("no container ran, where nodes are simulated", () => {
    assert.equal(inTheWay(1, { running: {} }, { containerID: "" }), undefined);
    assert.match(inTheWay(6, { running: {} }, { containerID: "" }) ?? "", /^no container ran, /);
  });

  it("the kubelet's words about a pod that it evicted", () => {
    const pod = { status: { phase: "Failed", reason: "Evicted", message: "The node was low on memory." } };
    assert.equal(obstacle(pod, run, 1), "Evicted: The node was low on memory.");
  });

  it("that the container has ended, if it was to go on, or said nothing", () => {
    const ended = { exitCode: 127, reason: "Error" };
    assert.equal(inTheWay(1, { terminated: { ...ended, message: "0 open" } }), undefined);
    assert.equal(inTheWay(1, { terminated: ended }), "its container has ended: Error (127)");
    assert.equal(
      inTheWay(1, { terminated: { ...ended, message: "no httpd" } }, { listens: true }),
      "its container has ended: Error: no httpd (127)",
    );
  });

  it("in the end, the time", () => {
    assert.equal(inTheWay(81, { running: {} }), "it is not done after 80 s");
  });
});

describe("who makes a pod of a verification", () => {
  const askedBy = async (entry: object): Promise<unknown> => {
    const one = member({ member: "bob", type: "user", ...entry });
    const answered = (body: string) => Promise.resolve({ status: 200, body });
    const player = { member: one, namespace: "bob", ask: () => answered("the member"), base: [], route: [] };
    const api = { ask: () => answered("the admin") };
    const { body } = await placeOf(player, { api } as unknown as Stage).ask("POST", "/api/v1/namespaces/bob/pods");
    return body;
  };

  it("it is the member, or the admin for one who may only look", async () => {
    assert.equal(await askedBy({}), "the member");
    assert.equal(await askedBy({ home: "view" }), "the admin");
  });
});

describe("a pod of a verification", () => {
  const container = { name: "verify", command: ["sh", "-c", "sleep 1", "verify", "a"], image: "busybox" };

  it("meets Pod Security restricted", () => {
    const { spec } = podOf({ namespace: "bob", member: member({ member: "bob", type: "user" }) }, run);
    const resources = { cpu: "100m", memory: "64Mi" };
    assert.deepEqual(spec, {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65_534,
        runAsGroup: 65_534,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          ...container,
          resources: { limits: resources, requests: resources },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    });
  });

  it("is where the type's pods have to be", () => {
    const pool = { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated", operator: "Exists" }] };
    const [made] = configuration({
      memberTypes: { lab: { pool, runtimeClasses: { allowed: ["gvisor"] }, userNamespaces: "required" } },
      members: [{ member: "bob", type: "lab" }],
    }).members;
    assert.ok(made);
    const { nodeSelector, tolerations, runtimeClassName, hostUsers } = podOf(
      { namespace: "bob", member: made },
      run,
    ).spec;
    assert.deepEqual(
      { nodeSelector, tolerations, runtimeClassName, hostUsers },
      {
        ...pool,
        runtimeClassName: "gvisor",
        hostUsers: false,
      },
    );
  });
});
