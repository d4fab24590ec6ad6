import assert from "node:assert/strict";
import { freePort } from "../../../../scaffold/sandbox/cluster/ports.ts";
import { ApiProxy } from "../../support/cluster/apiProxy.ts";
import { refusedInProcess } from "../inProcess.ts";
import { otherKubeconfig, tokenWithout } from "../kubeconfigs.ts";
import { linesBelow } from "../linesBelow.ts";
import { refused } from "../refused.ts";
import { type Entry, useStack } from "../stack.ts";
import { makeNamespace, served } from "../workloads.ts";

const gus: Entry = { member: "gus", type: "user" };

describe("a run", () => {
  const stack = useStack("refusal");

  before(async () => {
    await stack.makeProject();
    await stack.configure([gus]);
    await served(stack, "gus");
    await stack.upFine();
  });
  beforeEach(() => stack.configure([gus]));

  describe("that can't go on", () => {
    /** Expects the route to be there. */
    const routed = () => stack.sandbox.get("ingress", "gus", "ingress-nginx");

    /** Runs something as one who may read all that a run reads, but for these kinds. */
    const asReader = async (without: readonly string[], act: (token: string) => Promise<unknown>) => {
      const name = "reader";
      const token = await tokenWithout(stack, name, ...without);
      try {
        await act(token);
      } finally {
        await stack.delete("clusterrolebinding", name);
        await stack.delete("clusterrole", name);
        await stack.delete("serviceaccount", name, "default");
      }
    };

    it("takes no refused LIST of Services for an answer, and the live route stays", async () => {
      await asReader(["services"], async (token) => {
        const env = { KUBECONFIG: await otherKubeconfig(stack, { token }) };
        const [preview, up] = await Promise.all([
          stack.run(["preview", "--expect-no-changes"], env),
          stack.run(["up", "--yes", "--skip-preview"], env),
        ]);
        assert.equal(preview.exitCode, 0, preview.output);
        // From another machine, too: the kubeconfig's path and contents are no part of the state.
        assert.deepEqual(preview.steps, []);
        const unchecked = linesBelow("[unchecked] ", preview.output);
        assert.ok(
          unchecked.some((line) => line.startsWith("Services: ")),
          preview.output,
        );
        assert.notEqual(up.exitCode, 0);
        assert.match(up.output, /Can't read the Services from the API server https:\/\/127.0.0.1.* 403 /);
        assert.match(up.output, /Nothing was changed/);
      });
      await routed();
    });

    describe("is stopped by the program alone: it", () => {
      it("tells every mistake of the configuration", async () => {
        await stack.configure(
          [
            { member: "Gus", type: "user" },
            { member: "hal", type: "gest-user", maxCPUm: 50 },
          ],
          { cluter: {} },
        );
        await refusedInProcess(stack, [
          "has 3 mistakes; nothing was changed.",
          "cluter: is no setting here; did you mean 'cluster'?",
          'members[0].member: "Gus" must be a DNS label',
          "members[1].type: \"gest-user\" is no member type; did you mean 'guest-user'?",
          "Correct Pulumi.refusal.yaml",
        ]);
      });

      it("says that the members file is not there", async () => {
        await stack.write("config:\n  kubecamp:route: { host: camp.test }\n  kubecamp:membersFile: memebers.yaml\n");
        const words = 'Pulumi.refusal.yaml:3: membersFile: "memebers.yaml" does not exist';
        await refusedInProcess(stack, [words], { folder: stack.folder });
      });

      it("shows nothing that Pulumi encrypts, and still tells the line", async () => {
        await stack.write("config:\n  kubecamp:route: { host: camp.test }\n");
        const values = [
          "--secret",
          "kubecamp:members[0].subject=very-secret ",
          "--plaintext",
          "kubecamp:members[0].member=bob",
        ];
        const set = await stack.manage("config", "set-all", "--path", ...values, "--stack", stack.name);
        assert.equal(set.exitCode, 0, set.stderr);
        const words = [/Pulumi\.refusal\.yaml:\d+: members\[0\]\.subject: \[secret\] must be one line/];
        for (const output of await refused(stack, words, { cwd: stack.folder })) {
          assert.doesNotMatch(output, /very-secret/);
        }
      });

      it("names a namespace that is somebody else's, and leaves it as it is", async () => {
        await makeNamespace(stack, "ida");
        try {
          await stack.configure([gus, { member: "ida", type: "user" }]);
          await refusedInProcess(stack, [
            "member 'ida': namespace 'ida' exists already and is not kubecamp's; choose another name",
          ]);
        } finally {
          await stack.delete("namespace", "ida");
        }
      });

      it("names an Ingress under a member's name that is somebody else's", async () => {
        await stack.kubectl("create", "ingress", "jon", "-n", "ingress-nginx", "--rule=camp.test/jon=web:80");
        try {
          await stack.configure([gus, { member: "jon", type: "user" }]);
          await refusedInProcess(stack, [
            "member 'jon': Ingress 'ingress-nginx/jon' exists already and is not kubecamp's",
          ]);
        } finally {
          await stack.delete("ingress", "jon", "ingress-nginx");
        }
      });

      it("says that the cluster is another than the stack's own", async () => {
        await stack.configure([gus], { cluster: { id: "00000000-0000-0000-0000-000000000000" } });
        await refusedInProcess(stack, [
          "this is another cluster: its id is",
          "(cluster.id) is 00000000-0000-0000-0000-000000000000",
        ]);
      });

      it("says that the ingress controller's namespace is not there", async () => {
        await stack.configure([gus], { route: { host: "camp.test", namespace: "contour" } });
        await refusedInProcess(stack, [
          "namespace 'contour' (route.namespace) does not exist; install the ingress controller",
        ]);
      });

      it("takes no LIST that fails for an answer", async () => {
        const proxy = new ApiProxy();
        await proxy.start(stack.sandbox.kubeconfig, { signIn: false });
        try {
          await asReader([], async (token) => {
            const KUBECONFIG = await otherKubeconfig(stack, { server: proxy.url, token });
            // Otherwise each run would wait for seconds before it asks again.
            proxy.refuse("/api/v1/services", 500, 0);
            await refusedInProcess(
              stack,
              [
                `Can't read the Services from the API server ${proxy.url}: 500 refused by the test`,
                "Nothing was changed",
              ],
              { env: { KUBECONFIG } },
            );
          });
        } finally {
          await proxy.stop();
        }
      });

      it("takes no silence for an answer either", async () => {
        const server = `https://127.0.0.1:${await freePort()}`;
        const KUBECONFIG = await otherKubeconfig(stack, { server });
        await refusedInProcess(stack, [`from the API server ${server}: connect ECONNREFUSED`, "Nothing was changed"], {
          env: { KUBECONFIG },
        });
      });
    });
  });
});
