import assert from "node:assert/strict";
import { fenceText } from "../../../../watch/manifests/fence.ts";
import { gatewaySettings } from "../../../unit/samples.ts";
import type { Entry } from "../../program/stack.ts";
import { makeService, until } from "../../program/workloads.ts";
import { installEnvoyGateway } from "../../support/definitions/envoyGateway.ts";
import { installGatewayApi } from "../../support/definitions/gatewayApi.ts";
import { applyText } from "../../support/manifestFiles.ts";
import { type TestSandbox, testSandbox } from "../../support/sandbox.ts";
import { RunningWatch } from "../runningWatch.ts";
import { useWatchStack } from "./watchStack.ts";

const route = {
  kind: "gateway",
  host: "{member}.apps.example.org",
  gateway: { name: "public", namespace: "gateways" },
  tls: { clusterIssuer: "camp" },
  login: { kind: "oauth2-proxy", url: "http://oauth2-proxy.login.svc.cluster.local:4180", allow: ["staff"] },
};
const names = ["ned", "uma", "zoe"];
const entries = names.map((member): Entry => ({ member, type: "user" }));

describe("kubecamp watch at a Gateway", () => {
  let sandbox: TestSandbox;
  const forget: (() => Promise<void>)[] = [];

  before(async () => {
    sandbox = await testSandbox();
    forget.push(await installGatewayApi(sandbox), await installEnvoyGateway(sandbox));
    await sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "gateways" } });
  });
  after(async () => {
    for (const kind of ["validatingadmissionpolicybinding", "validatingadmissionpolicy"]) {
      for (const name of ["kubecamp-watch-login-first", "kubecamp-watch-login-last"]) {
        await sandbox.remove(await sandbox.pathTo(kind, name));
      }
    }
    await sandbox.remove("/api/v1/namespaces/gateways");
    await Promise.all(forget.map((each) => each()));
  });

  describe("has rights enough", () => {
    // Before the stack goes: the watch would bring it up again.
    after(() => watch?.end("SIGKILL"));
    const { stack, signIn } = useWatchStack();
    let watch: RunningWatch | undefined;
    const objects = async (kind: string) => (await sandbox.names(kind)).toSorted();

    before(async () => {
      await applyText(sandbox, fenceText({ ...gatewaySettings(route), stack: stack.name }));
      await stack.configure(entries, { route });
      // As an admin does once, whose part the admission policies stay.
      await stack.upFine();
      await stack.makeProject();
      watch = await RunningWatch.start(stack, { KUBECONFIG: await signIn() });
      await watch.ready();
    });

    it("to open paths, each after its login and its listener", async () => {
      for (const member of names) {
        await makeService(stack, member);
      }
      for (const member of names) {
        await watch?.reported("route opened", { member });
      }
      await watch?.idle();
      for (const kind of ["httproute", "securitypolicy", "listenerset"]) {
        assert.deepEqual(await objects(kind), names, kind);
      }
    });

    it("to put a login and a listener back that somebody has changed or deleted", async () => {
      await sandbox.patch("securitypolicy", "ned", "ned", { spec: { extAuth: { failOpen: true } } });
      await stack.delete("securitypolicy", "uma", "uma");
      await stack.delete("listenerset", "zoe", "gateways");
      for (const [member, object] of [
        ["ned", "SecurityPolicy ned/ned"],
        ["uma", "SecurityPolicy uma/uma"],
        ["zoe", "ListenerSet gateways/zoe"],
      ] as const) {
        await watch?.reported("drift repaired", { member, object });
      }
      await watch?.idle();
      const { spec } = await sandbox.get<{ spec: { extAuth: { failOpen: boolean } } }>("securitypolicy", "ned", "ned");
      assert.equal(spec.extAuth.failOpen, false);
      assert.deepEqual([await objects("securitypolicy"), await objects("listenerset")], [names, names]);
    });

    it("to close paths, and then to let login and listener go", async () => {
      for (const member of names) {
        await stack.delete("service", `${member}-svc`, member);
      }
      for (const member of names) {
        await watch?.reported("route closed", { member });
      }
      for (const kind of ["httproute", "securitypolicy", "listenerset"]) {
        await until(async () => (await objects(kind)).length === 0);
      }
      assert.doesNotMatch(watch?.output ?? "", /forbidden|denied request/i);
    });
  });
});
