import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Waiting } from "../../../../cluster/api/requests.ts";
import { readCluster } from "../../../../cluster/read/read.ts";
import { HeldTime } from "../../heldTime.ts";
import { gatewaySettings, labelsOf, member, settings } from "../../samples.ts";
import { until } from "../../until.ts";
import { type Answer, emptyCluster, json, kubeSystem, metadataList, restore, useApiServer } from "../fakeApiServer.ts";
import { liveService } from "../liveService.ts";

const kinds = [
  ...["namespaces", "services", "ingresses", "clusterroles", "clusterrolebindings"],
  ...["limitranges", "networkpolicies", "resourcequotas", "roles", "rolebindings"],
];

describe("reading the cluster", () => {
  const server = useApiServer();

  const pauses: number[] = [];
  const read = (waiting: Partial<Waiting> = {}) => {
    pauses.length = 0;
    return readCluster([], settings, { pause: async (milliseconds) => pauses.push(milliseconds), ...waiting });
  };
  const refused = (...words: (string | RegExp)[]) => refusal(read(), words);

  it("reads the cluster by one LIST per kind, the Namespaces first", async () => {
    const labels = { team: "a" };
    const ports = [
      { port: 80, targetPort: "http" },
      { port: 53, protocol: "UDP" },
    ];
    const bob = { name: "bob", uid: "5678", labels, deletionTimestamp: "2026-01-01T00:00:00Z" };
    const service = {
      metadata: { name: "bob-svc", namespace: "bob", resourceVersion: "7" },
      spec: { type: "ClusterIP", clusterIP: "10.0.0.7", selector: { app: "web" }, ports },
    };
    server.answers("namespaces", json(metadataList(kubeSystem, { metadata: bob })));
    server.answers("services", json({ kind: "ServiceList", items: [service] }));
    const { id, namespaces, services } = await read();
    assert.equal(id, "1234");
    assert.deepEqual(Object.fromEntries(namespaces), {
      "kube-system": { labels: {}, terminating: false, uid: "1234" },
      bob: { labels, terminating: true, uid: "5678" },
    });
    const portNames = { "80/TCP": "", "53/UDP": "" };
    const found = liveService({ externalName: undefined, portNames, targetPorts: { "80/TCP": "http", "53/UDP": 53 } });
    assert.deepEqual(services, new Map([["bob/bob-svc", found]]));
    assert.equal(server.asked[0], "namespaces");
    for (const kind of kinds) {
      assert.equal(server.asked.filter((it) => it === kind).length, 1, kind);
    }
  });

  it("asks once for what is behind Services, where a route depends on that", async () => {
    const bobWith = (readiness: object) => member({ member: "bob", type: "user", route: { readiness } });
    const asked = () => server.asked.filter((kind) => kind === "endpointslices").length;
    await readCluster([bobWith({})], settings);
    assert.equal(asked(), 0);
    const metadata = { name: "x", namespace: "bob", labels: { "kubernetes.io/service-name": "bob-svc" } };
    const slice = { metadata, endpoints: [{ conditions: { ready: true } }], ports: [{ port: 80 }] };
    const service = { metadata: { name: "bob-svc", namespace: "bob" }, spec: { ports: [{ port: 80 }] } };
    server.answers("services", json({ kind: "ServiceList", items: [service] }));
    server.answers("endpointslices", json({ kind: "EndpointSliceList", items: [slice] }));
    const { services } = await readCluster([bobWith({ requires: "endpoints" })], settings);
    assert.deepEqual([services.get("bob/bob-svc")?.readyPorts, asked()], [[{ name: "", port: 80 }], 1]);
  });

  describe("of what runs and is kept in the namespaces", () => {
    const labels = labelsOf("zoe");
    const zoe = { metadata: { name: "zoe", labels } };
    const asked = () => server.asked.filter((kind) => kind === "pods" || kind === "persistentvolumeclaims").sort();

    it("counts leavers' pods, also a deleted one with a year left to end, and names the claims", async () => {
      const of = (name: string, namespace: string, more: object = {}) => ({ metadata: { name, namespace, ...more } });
      const deletionTimestamp = "2026-01-01T00:00:00Z";
      const deleted = (deletionGracePeriodSeconds: number) => ({ deletionTimestamp, deletionGracePeriodSeconds });
      const pods = [of("web-1", "zoe"), of("web-0", "zoe", deleted(30)), of("web-3", "zoe", deleted(31_536_000))];
      const spec = { resources: { requests: { storage: "10Gi" } } };
      const claims = [{ ...of("data", "zoe"), spec }, of("odd", "zoe"), { ...of("diary", "bob"), spec }];
      server.answers("namespaces", json(metadataList(kubeSystem, zoe)));
      server.answers("pods", json(metadataList(...pods, of("dns", "kube-system"))));
      server.answers("persistentvolumeclaims", json({ kind: "PersistentVolumeClaimList", items: claims }));
      const claim = (name: string, storage = "10Gi") => ({ name, storage });
      assert.deepEqual(Object.fromEntries((await read()).namespaceContents), {
        zoe: { pods: 2, claims: [claim("data"), claim("odd", "?")] },
        "kube-system": { pods: 1, claims: [] },
        bob: { pods: 0, claims: [claim("diary")] },
      });
      assert.deepEqual(asked(), ["persistentvolumeclaims", "pods"]);
    });

    it("asks for no pods and claims when nobody leaves", async () => {
      const prod = { metadata: { name: "uma", labels: { ...labelsOf("uma"), "kubecamp.dev/stack": "prod" } } };
      server.answers("namespaces", json(metadataList(kubeSystem, prod, zoe)));
      const active = member({ member: "zoe", type: "user" });
      assert.deepEqual((await readCluster([active], settings)).namespaceContents, new Map());
      assert.deepEqual(asked(), []);
    });

    it("asks for pods and claims of a leaver who is known by their guard rails alone", async () => {
      server.answers("namespaces", json(metadataList(kubeSystem, { metadata: { name: "zoe" } })));
      const limits = { metadata: { name: "default-limits", namespace: "zoe", labels } };
      server.answers("limitranges", json({ kind: "LimitRangeList", items: [limits] }));
      await read();
      assert.deepEqual(asked(), ["persistentvolumeclaims", "pods"]);
    });
  });

  it("stops where a page of a list is missing, whose members would look gone", async () => {
    const first = json({ kind: "ServiceList", metadata: { continue: "x" }, items: [] });
    server.answers("services", first, json({ message: "forbidden" }, 403));
    await refused("Can't read the Services", "403 forbidden", "Nothing was changed");
  });

  describe("takes for no list", () => {
    const page: Answer = (_, response) => response.end("<!doctype html><title>Sign in</title>");
    const noList = "the answer is no list of the kind Service";
    const wrong: Record<string, [Answer, string]> = {
      "an empty object": [json({}), `${noList}: "{}"`],
      "a login page": [page, `${noList}: "<!doctype html><title>Sign in</title>"`],
      "metadata alone, where the rest was asked for": [json(metadataList()), noList],
      "a list without items": [json({ kind: "ServiceList" }), "the answer is a ServiceList without items"],
      "items without names": [json({ kind: "ServiceList", items: [null] }), "with items that have no name"],
    };
    for (const [what, [answer, words]] of Object.entries(wrong)) {
      it(`takes ${what} for no list`, async () => {
        server.answers("services", answer);
        await refused(`Can't read the Services from the API server ${server.url}:`, words, "Nothing was changed");
      });
    }
  });

  it("takes an empty list of metadata, which has null for its items, for an empty list", async () => {
    server.answers("namespaces", json({ kind: "PartialObjectMetadataList", items: null }));
    await refused("there is no kube-system among them");
  });

  it("stops at a cluster that is too old for admission policies, and says so", async () => {
    server.answers("validatingadmissionpolicies", json("404 page not found", 404));
    await refused("it does not know the kind ValidatingAdmissionPolicy", "upgrade the cluster to Kubernetes 1.30");
  });

  it("knows whether there is a Gateway, and whether for long", async () => {
    const gateway = { name: "public", namespace: "gateways", labels: { team: "net" }, deletionTimestamp: "2026-01-01" };
    for (const items of [[{ metadata: gateway }], []]) {
      server.answers("gateways", json({ kind: "GatewayList", items }));
      server.answers("httproutes", json({ kind: "HTTPRouteList", items: [] }));
      const { gateway: found } = await readCluster([], gatewaySettings());
      const unprogrammed = "no controller has said anything of it";
      const expected = { labels: { team: "net" }, terminating: true, unprogrammed };
      assert.deepEqual(found, items.length > 0 ? expected : undefined);
    }
  });

  it("takes an answer without kube-system for no cluster's", async () => {
    server.answers("namespaces", json(metadataList({ metadata: { name: "default", uid: "1" } })));
    await refused("Can't read the Namespaces", "there is no kube-system among them: the answer is not a cluster's");
    assert.deepEqual(server.asked, ["namespaces"]);
  });

  describe("asks again", () => {
    it("asks again after a passing failure, in growing pauses or when the API server says", async () => {
      const slow = json({ message: "slow down" }, 429, { "retry-after": "1" });
      const broken: Answer = (request) => request.socket.destroy();
      server.answers("services", slow, json({}, 503), broken, json({}, 500), json(emptyCluster.services));
      assert.equal((await read()).id, "1234");
      assert.deepEqual(pauses, [1000, 1000, 2000, 4000]);
    });

    it("tells a refusal at once when the API server's pause would outlast the deadline", async () => {
      server.answers("namespaces", json({ message: "maintenance" }, 503, { "retry-after": "3600" }));
      await refused("503 maintenance");
      assert.deepEqual(pauses, []);
    });

    it("asks the API server only once for what would be refused again", async () => {
      server.answers("namespaces", json({ message: "Unauthorized" }, 401));
      await refused("401 Unauthorized", "have expired: sign in again, then run again");
      assert.deepEqual(server.asked, ["namespaces"]);
    });
  });

  it("names the list that hangs at the deadline for reading the cluster", async () => {
    const time = new HeldTime();
    try {
      server.answers("ingresses", () => undefined);
      const list = `Can't read the Ingresses from the API server ${server.url}`;
      const late = refused(list, "not done within 60 seconds");
      await until(() => server.asked.length > kinds.length && server.underWay === 1);
      await time.rest();
      await time.pass(60_000);
      await late;
    } finally {
      time.release();
    }
  });

  describe("signs in with a plugin", () => {
    const credential = 'echo \'{"status": {"token": "secret"}}\'';
    const plugin = async (script: string, more: object = {}) => {
      const path = join(server.folder, "plugin.sh");
      await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const apiVersion = "client.authentication.k8s.io/v1";
      const exec = { apiVersion, command: "./plugin.sh", interactiveMode: "Never", ...more };
      process.env.KUBECONFIG = await server.kubeconfig({ exec });
    };

    it("runs a sign-in plugin once, from the kubeconfig's folder, and with client-go's variables", async () => {
      const log = join(server.folder, "log");
      const env = [{ name: "LOG", value: log }];
      await plugin(`echo "$KUBERNETES_EXEC_INFO" >> "$LOG"\n${credential}`, { env, provideClusterInfo: true });
      await read();
      assert.deepEqual(new Set(server.tokens), new Set(["Bearer secret"]));
      // One line: it ran once.
      assert.deepEqual(JSON.parse(await readFile(log, "utf8")), {
        kind: "ExecCredential",
        apiVersion: "client.authentication.k8s.io/v1",
        spec: { interactive: false, cluster: { server: server.url } },
      });
    });

    it("refuses an entry for a sign-in plugin that kubectl and Pulumi refuse", async () => {
      const version = "exec.apiVersion is";
      const mode = "exec has no interactiveMode, without which kubectl and Pulumi refuse the entry";
      const wayOut = `Have '${server.folder}/plugin.sh', or the tool that made the kubeconfig, write it anew`;
      for (const [more, why] of [
        [{ apiVersion: "client.authentication.k8s.io/v1alpha1" }, `${version} "client.authentication.k8s.io/v1alpha1"`],
        [{ apiVersion: undefined }, `${version} missing`],
        [{ interactiveMode: undefined }, mode],
      ] as const) {
        await plugin(credential, more);
        await refused(`for the API server ${server.url}: ${why}`, wayOut);
      }
      assert.deepEqual(server.asked, []);
      const beta = { apiVersion: "client.authentication.k8s.io/v1beta1", interactiveMode: undefined };
      await plugin(credential, beta);
      await read();
    });

    it("shows what a failing sign-in plugin said", async () => {
      await plugin("echo 'token has expired' >&2; exit 3");
      await refused(
        `Can't read the credentials in the kubeconfig ${process.env.KUBECONFIG} for the API server ${server.url}: the command`,
        "failed (exit code 3):\ntoken has expired",
        "see that kubectl works",
      );
      assert.deepEqual(server.asked, []);
    });

    it("says that a sign-in plugin is missing, and how to get one", async () => {
      await plugin("", { command: "no-such-plugin", installHint: "Get it from the shop." });
      const why = "the command 'no-such-plugin', which gets them, can't be run (ENOENT)";
      await refused(why, "Install it", "Get it from the shop.");
    });

    it("doesn't wait longer for a sign-in plugin than for a list", async () => {
      await plugin("sleep 5");
      const why = "plugin.sh', which gets them, is not done within 0.2 seconds";
      await refusal(read({ patience: 200 }), [why, "Sign in as"]);
    });
  });

  it("reads a token from a file, in place of a written-out one", async () => {
    await writeFile(join(server.folder, "token"), "fresh\n");
    process.env.KUBECONFIG = await server.kubeconfig({ tokenFile: "token", token: "stale" });
    await read();
    assert.equal(server.tokens[0], "Bearer fresh");
  });

  it("reads the cluster through the proxy that the environment names", async () => {
    const { HTTP_PROXY } = process.env;
    process.env.HTTP_PROXY = server.url.replace("http://", "");
    process.env.KUBECONFIG = await server.kubeconfig({}, "http://api.camp.test");
    try {
      assert.equal((await read()).id, "1234");
    } finally {
      restore("HTTP_PROXY", HTTP_PROXY);
    }
  });
});

async function refusal(run: Promise<unknown>, words: readonly (string | RegExp)[]): Promise<void> {
  await assert.rejects(run, ({ name, message }: Error) => {
    for (const word of words) {
      assert.ok(typeof word === "string" ? message.includes(word) : word.test(message), `${word} in\n${message}`);
    }
    assert.equal(name, "Error");
    return true;
  });
}
