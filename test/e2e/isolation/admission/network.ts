import assert from "node:assert/strict";
import { connects, type End, type NetworkObjects, type Port } from "../../../unit/network/evaluator.ts";
import type { TestStack } from "../../program/stack.ts";
import { until } from "../../program/workloads.ts";

export const networkMembers = [
  { member: "alice", type: "admin" },
  { member: "nik", type: "user" },
  { member: "carol", type: "guest-user" },
  {
    member: "dan",
    type: "user",
    network: {
      egress: [
        { namespace: "net-data", podLabels: { app: "postgres" }, ports: [5432] },
        { cidr: "10.20.0.0/16", ports: ["443/TCP"] },
      ],
    },
  },
  { member: "erin", type: "lab" },
];
export const networkSettings = {
  network: {
    ingressPodLabels: { app: "controller" },
    nodeLocalDns: ["169.254.20.10"],
    ingress: [{ namespace: "net-watch", podLabels: { app: "prometheus" }, ports: [9090] }],
  },
};
export const networkTypes = { lab: { network: { internet: false } } };

/** Every pod that connects or is connected to, with its label. */
const pods = {
  ...{
    "alice/web": "web",
    "nik/web": "web",
    "nik/other": "other",
    "carol/web": "web",
    "dan/web": "web",
    "erin/web": "web",
  },
  ...{ "ingress-nginx/controller": "controller", "ingress-nginx/other": "other" },
  ...{ "kube-system/dns": "kube-dns", "kube-system/other": "other" },
  ...{ "net-data/postgres": "postgres", "net-data/other": "other" },
  ...{ "net-watch/prometheus": "prometheus", "net-watch/other": "other" },
};

/** Connections from members' pods, with a column for each member; x means permitted. */
const out = `
                             alice nik   carol dan   erin
alice/web 8080               x     -     -     -     -
nik/web 8080                 -     x     -     -     -
nik/other 8080               -     x     -     -     -
carol/web 8080               -     -     x     -     -
dan/web 8080                 -     -     -     x     -
erin/web 8080                -     -     -     -     x
kube-system/dns 53/UDP       x     x     x     x     x
kube-system/dns 53           x     x     x     x     x
kube-system/dns 9153         -     -     -     -     -
kube-system/other 53/UDP     -     -     -     -     -
kube-system/other 443        -     -     -     -     -
169.254.20.10 53/UDP         x     x     x     x     x
169.254.20.10 53             x     x     x     x     x
169.254.20.10 8080           -     -     -     -     -
ingress-nginx/controller 80  -     -     -     -     -
ingress-nginx/other 80       -     -     -     -     -
net-data/postgres 5432       -     -     -     x     -
net-data/postgres 5433       -     -     -     -     -
net-data/postgres 5432/UDP   -     -     -     -     -
net-data/other 5432          -     -     -     -     -
net-watch/prometheus 9090    -     -     -     -     -
1.1.1.1 443                  x     x     x     x     -
8.8.8.8 53/UDP               x     x     x     x     -
2606:4700:4700::1111 443     x     x     x     x     -
10.20.0.7 443                -     -     -     x     -
10.20.0.7 22                 -     -     -     -     -
10.96.0.1 443                -     -     -     -     -
100.64.0.1 443               -     -     -     -     -
127.0.0.1 10250              -     -     -     -     -
172.16.0.1 443               -     -     -     -     -
192.168.1.1 443              -     -     -     -     -
198.18.0.1 443               -     -     -     -     -
fd12::1 443                  -     -     -     -     -
fe80::1 443                  -     -     -     -     -
::1 443                      -     -     -     -     -
::ffff:10.96.0.1 443         -     -     -     -     -
64:ff9b::a60:1 443           -     -     -     -     -
2002:a60:1::1 443            -     -     -     -     -
169.254.169.254 80           -     -     -     -     -
169.254.170.23 80            -     -     -     -     -
100.100.100.200 80           -     -     -     -     -
168.63.129.16 80             -     -     -     -     -
fd00:ec2::254 80             -     -     -     -     -
fd20:ce::254 80              -     -     -     -     -
`;

/** Callers of members' pods. */
const callers = {
  ctrl: "ingress-nginx/controller",
  beside: "ingress-nginx/other",
  dns: "kube-system/dns",
  prom: "net-watch/prometheus",
  watch: "net-watch/other",
  db: "net-data/postgres",
  lan: "10.20.0.7",
  world: "1.1.1.1",
  world6: "2606:4700:4700::1111",
};
/** Connections to members' pods. */
const into = `
                ctrl  beside dns   prom  watch db    lan   world world6
alice/web 8080  x     -      -     -     -     -     -     -     -
nik/web 8080    x     -      -     -     -     -     -     -     -
carol/web 8080  x     -      -     -     -     -     -     -     -
dan/web 8080    x     -      -     -     -     -     -     -     -
erin/web 8080   x     -      -     -     -     -     -     -     -
nik/web 9090    x     -      -     x     -     -     -     -     -
erin/web 9090   x     -      -     x     -     -     -     -     -
`;

export function network(stack: TestStack): void {
  describe("the network of members", () => {
    const namespaces = ["net-data", "net-watch"];
    let objects: NetworkObjects;

    before(async () => {
      const made = namespaces.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
      await stack.sandbox.create(...made);
      await stack.sandbox.apply(...Object.entries(pods).map(([path, app]) => pod(path, app)));
      const list = async (path: string) => JSON.parse(await stack.sandbox.read(path)).items;
      const read = async () => ({
        policies: await list("/apis/networking.k8s.io/v1/networkpolicies"),
        namespaces: await list("/api/v1/namespaces"),
        pods: await list("/api/v1/pods"),
      });
      // Only a pod with an address proves that no ipBlock admits that address.
      await until(async () => {
        objects = await read();
        const placed = objects.pods.filter(({ status }) => status?.podIPs !== undefined).map(nameOf);
        return Object.keys(pods).every((path) => placed.includes(path));
      });
    });
    after(async () => {
      const elsewhere = Object.keys(pods).filter((path) => /^(kube-system|ingress-nginx)\//.test(path));
      for (const path of elsewhere) {
        const [namespace, name] = path.split("/");
        const at = `/api/v1/namespaces/${namespace}/pods/${name}`;
        const { code, body } = await stack.sandbox.ask("DELETE", `${at}?gracePeriodSeconds=0`);
        assert.ok([200, 404].includes(code), body);
      }
      await Promise.all(namespaces.map((name) => stack.delete("namespace", name)));
    });

    const sources = Object.fromEntries(networkMembers.map(({ member }) => [member, `${member}/web`]));

    it("lets members' pods reach their namespace, DNS, public addresses and exceptions alone", () => {
      assert.equal(matrix(out, sources, objects), out);
    });

    it("lets the ingress controller and exceptions reach members' pods, and nobody else", () => {
      assert.equal(matrix(into, callers, objects), into);
    });

    it("closes members' connections by nothing but their network policies", () => {
      const open = { ...objects, policies: [] };
      assert.equal(matrix(out, sources, open), out.replaceAll(/-(?= |$)/gm, "x"));
      assert.equal(matrix(into, callers, open), into.replaceAll(/-(?= |$)/gm, "x"));
    });

    it("gives members' pods no token of the API server's", () => {
      const mounted = objects.pods.filter(({ spec }) =>
        JSON.stringify(spec?.volumes ?? []).includes("serviceAccountToken"),
      );
      const theirs = mounted
        .map(nameOf)
        .filter((path) => networkMembers.some(({ member }) => path.startsWith(`${member}/`)));
      assert.deepEqual(theirs, []);
      // In other namespaces pods do mount one.
      assert.ok(mounted.map(nameOf).includes("net-data/postgres"));
    });

    it("refuses a pod that evades its quota by a limit of zero", async () => {
      const limits = { cpu: "0", memory: "0" };
      const headers = { "content-type": "application/json" };
      const sent = JSON.stringify(pod("nik/zero", "zero", { limits }));
      const { code, body } = await stack.sandbox.ask("POST", "/api/v1/namespaces/nik/pods", { headers, body: sent });
      assert.equal(code, 403, body);
      assert.match(body, /minimum cpu usage per Container is 10m, but request is 0/);
      assert.match(body, /minimum memory usage per Container is 1Mi, but request is 0/);
    });
  });
}

function pod(path: string, app: string, resources: object = {}) {
  const [namespace, name] = path.split("/");
  const labels = { app, ...(namespace === "kube-system" ? { "k8s-app": app } : {}) };
  const metadata = { name, namespace, labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [{ name: "c", image: "c", resources }] } };
}

const nameOf = ({ metadata }: { metadata?: { namespace?: string; name?: string } }) =>
  `${metadata?.namespace}/${metadata?.name}`;

/** The same table, with the policies' verdicts in its cells. */
function matrix(table: string, sources: Readonly<Record<string, string>>, objects: NetworkObjects): string {
  const [, head = "", ...rows] = table.split("\n");
  const columns = [...head.matchAll(/\S+/g)].map(({ 0: source, index }) => ({ from: endOf(sources[source]), index }));
  const [{ index: first } = { index: 0 }] = columns;
  const filled = rows.map((row) => {
    const [to, port = ""] = row.slice(0, first).trim().split(" ");
    if (row === "") {
      return row;
    }
    const cells = columns.map(({ from, index }, at) => {
      const cell = connects(objects, from, endOf(to), portOf(port)) ? "x" : "-";
      return cell.padEnd((columns[at + 1]?.index ?? index) - index);
    });
    return row.slice(0, first) + cells.join("");
  });
  return ["", head, ...filled].join("\n");
}

function endOf(text = ""): End {
  return text.includes("/") ? { pod: text } : { address: text };
}

function portOf(text: string): Port {
  const [port, protocol = "TCP"] = text.split("/");
  return { port: Number(port), protocol: protocol as Port["protocol"] };
}
