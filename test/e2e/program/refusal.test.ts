import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { warningTitles } from "../../../naming/warnings.ts";
import { ApiProxy } from "../support/apiProxy.ts";
import { otherKubeconfig, tokenWithout } from "./kubeconfigs.ts";
import { linesBelow } from "./linesBelow.ts";
import { refused as isRefused } from "./refused.ts";
import { type Entry, useStack } from "./stack.ts";

const gus: Entry = { member: "gus", type: "user" };

describe("a run that can't go on", function () {
  this.timeout(120_000);
  const stack = useStack("refusal");
  const refused = (words: readonly (string | RegExp)[], env: Record<string, string> = {}) =>
    isRefused(stack, words, { env });

  before(async () => {
    await stack.configure([gus]);
    await stack.upFine();
    await stack.kubectl("create", "service", "clusterip", "gus-svc", "--tcp=80:8080", "-n", "gus");
    await stack.upFine();
  });
  beforeEach(() => stack.configure([gus]));

  it("tells every mistake of the configuration, and touches nothing", async () => {
    await stack.configure(
      [
        { member: "Gus", type: "user" },
        { member: "hal", type: "gest-user", maxCPUm: 50 },
      ],
      { cluter: {} },
    );
    await refused([
      "has 3 mistakes; nothing has been touched.",
      "cluter: is no setting here; did you mean 'cluster'?",
      'members[0].member: "Gus" must be a DNS label',
      "members[1].type: \"gest-user\" is no member type; did you mean 'guest-user'?",
      "Mend Pulumi.refusal.yaml",
    ]);
  });

  it("refuses settings of the default provider, which would choose no cluster here", async () => {
    await stack.configure([gus], { "kubernetes:context": "prod" });
    await refused(["kubernetes:context: has no effect here; the cluster is chosen by context in kubecamp:cluster"]);
  });

  it("names a namespace that is somebody else's, and leaves it as it is", async () => {
    await stack.kubectl("create", "namespace", "ida");
    try {
      await stack.configure([gus, { member: "ida", type: "user" }]);
      await refused(["member 'ida': namespace 'ida' exists already and is not kubecamp's; choose another name"]);
    } finally {
      await stack.kubectl("delete", "namespace", "ida");
    }
  });

  it("names an Ingress under a member's name that is somebody else's", async () => {
    await stack.kubectl("create", "ingress", "jon", "-n", "ingress-nginx", "--rule=camp.test/jon=web:80");
    try {
      await stack.configure([gus, { member: "jon", type: "user" }]);
      await refused(["member 'jon': Ingress 'ingress-nginx/jon' exists already and is not kubecamp's"]);
    } finally {
      await stack.kubectl("delete", "ingress", "jon", "-n", "ingress-nginx");
    }
  });

  it("says that the cluster is another than the stack's own", async () => {
    await stack.configure([gus], { cluster: { id: "00000000-0000-0000-0000-000000000000" } });
    await refused(["this is another cluster: its id is", "(cluster.id) is 00000000-0000-0000-0000-000000000000"]);
  });

  it("says that the ingress controller's namespace is not there", async () => {
    await stack.configure([gus], { route: { host: "camp.test", namespace: "traefik" } });
    await refused(["namespace 'traefik' (route.namespace) does not exist; install the ingress controller"]);
  });

  it("says that the kubeconfig has no such context", async () => {
    await stack.configure([gus], { cluster: { context: "nowhere" } });
    await refused([/cluster\.context: 'nowhere' is no context of the kubeconfig \(it has \S+\)/]);
  });

  const routed = async () => {
    const route = await stack.kubectl("get", "ingress", "gus", "-n", "ingress-nginx", "-o", "name");
    assert.equal(route, "ingress.networking.k8s.io/gus");
  };
  const requiring: Entry = { ...gus, route: { readiness: { requires: "endpoints" } } };

  /** Runs something as one who may read all that a run reads, but for these kinds. */
  const asReader = async (without: readonly string[], act: (token: string) => Promise<unknown>) => {
    const name = "reader";
    const token = await tokenWithout(stack, name, ...without);
    try {
      await act(token);
    } finally {
      await stack.kubectl("delete", "clusterrole,clusterrolebinding", name);
      await stack.kubectl("delete", "serviceaccount", name, "-n", "default");
    }
  };

  for (const [kind, resource, entry] of [
    ["Services", "services", gus],
    ["EndpointSlices", "endpointslices", requiring],
  ] as const) {
    it(`takes no refused LIST of ${kind} for an answer: an up fails, a preview says so, and the live route stays`, async () => {
      await stack.configure([entry]);
      await asReader([resource], async (token) => {
        const env = { KUBECONFIG: await otherKubeconfig(stack, { token }) };
        const [preview, up] = await Promise.all([
          stack.run(["preview"], env),
          stack.run(["up", "--yes", "--skip-preview"], env),
        ]);
        assert.equal(preview.exitCode, 0, preview.output);
        assert.deepEqual(preview.steps, []);
        const unchecked = linesBelow(warningTitles.unchecked, preview.output);
        assert.ok(
          unchecked.some((line) => line.startsWith(`${kind}: `)),
          preview.output,
        );
        assert.notEqual(up.exitCode, 0);
        assert.match(up.output, new RegExp(`Can't read the ${kind} from the API server https://127.0.0.1.* 403 `));
        assert.match(up.output, /Nothing has been touched/);
      });
      await routed();
    });
  }

  it("takes no LIST that fails for an answer", async () => {
    const proxy = new ApiProxy();
    await proxy.start(stack.sandbox.kubeconfig, { signIn: false });
    try {
      await asReader([], async (token) => {
        const KUBECONFIG = await otherKubeconfig(stack, { server: proxy.url, token });
        proxy.refuse("/api/v1/services", 500);
        await refused(
          [
            `Can't read the Services from the API server ${proxy.url}: 500 refused by the test`,
            "Nothing has been touched",
          ],
          { KUBECONFIG },
        );
      });
    } finally {
      await proxy.stop();
    }
    await routed();
  });

  it("takes no silence for an answer either", async () => {
    const server = `https://127.0.0.1:${await closedPort()}`;
    const KUBECONFIG = await otherKubeconfig(stack, { server });
    await refused([`from the API server ${server}: connect ECONNREFUSED`, "Nothing has been touched"], { KUBECONFIG });
  });
});

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("a run from another machine", function () {
  this.timeout(60_000);
  const stack = useStack("elsewhere");

  before(async () => {
    await stack.configure([{ member: "kit", type: "user" }]);
    await stack.upFine();
  });

  it("shows no change: the kubeconfig's path and contents are no part of the state", async () => {
    const KUBECONFIG = await otherKubeconfig(stack);
    const preview = await stack.run(["preview", "--expect-no-changes"], { KUBECONFIG });
    assert.equal(preview.exitCode, 0, preview.output);
    assert.deepEqual(preview.steps, []);
  });
});
