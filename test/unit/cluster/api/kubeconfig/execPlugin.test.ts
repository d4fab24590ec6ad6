import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { forgetCredential, runPlugin } from "../../../../../cluster/api/kubeconfig/execPlugin.ts";
import { HeldTime } from "../../../heldTime.ts";
import { useFolder } from "../../../testFolder.ts";
import { until } from "../../../until.ts";

describe("a kubeconfig's command for credentials", () => {
  const folder = useFolder({ runs: "" });

  /** A command that takes some seconds, with a credential that is good for some. */
  const commandOf = async (goodFor: number | undefined, takes = 0) => {
    const expirationTimestamp = goodFor && new Date(Date.now() + goodFor * 1000).toISOString();
    const credential = JSON.stringify({ status: { token: "secret", expirationTimestamp } });
    const script = `echo begun >> ${folder.path}/runs\nsleep ${takes}\necho ended >> ${folder.path}/runs\necho '${credential}'`;
    await writeFile(join(folder.path, "login"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const apiVersion = "client.authentication.k8s.io/v1";
    return { apiVersion, interactiveMode: "Never", command: join(folder.path, "login") };
  };
  const get = (exec: object, signal = new AbortController().signal) =>
    runPlugin({ ...exec }, { source: "", server: "https://a", cluster: {}, user: {} }, signal);
  const count = (what: string) => readFileSync(join(folder.path, "runs"), "utf8").split(`${what}\n`).length - 1;

  it("runs a command for credentials once for all, until a minute before the credential expires", async () => {
    for (const [goodFor, runs] of [
      [61, 1],
      [undefined, 2],
      [59, 4],
    ] as const) {
      const exec = { ...(await commandOf(goodFor, 0.1)), env: [{ name: "GOOD_FOR", value: goodFor }] };
      assert.deepEqual(await Promise.all([get(exec), get(exec)]), [{ token: "secret" }, { token: "secret" }]);
      await get(exec);
      assert.equal(count("begun"), runs, `${goodFor} seconds`);
    }
  });

  it("runs a command for credentials again once its credential was refused, whoever else tells", async () => {
    const exec = await commandOf(3600);
    const refused = await get(exec);
    for (const _ of [1, 2]) {
      forgetCredential(refused);
      await get(exec);
    }
    assert.equal(count("begun"), 2);
  });

  it("lets a command for credentials run while anybody waits for one, and no longer", async () => {
    const exec = await commandOf(3600, 0.3);
    const waiting = [1, 2, 3].map(() => new AbortController());
    const [one, other, last] = waiting.map(({ signal }, at) => get({ ...exec, args: at < 2 ? [] : ["x"] }, signal));
    await until(() => count("begun") === 2);
    waiting[0]?.abort(new Error("enough"));
    waiting[2]?.abort(new Error("enough"));
    await assert.rejects(Promise.all([one]), /failed/);
    await assert.rejects(Promise.all([last]), /failed/);
    assert.deepEqual(await other, { token: "secret" });
    await sleep(100);
    assert.equal(count("ended"), 1);
  });

  it("runs again where it hangs, though somebody waits for it all the time", async () => {
    const exec = await commandOf(3600, 10);
    const time = new HeldTime();
    try {
      const first = get(exec);
      await time.pass(59_000);
      const second = get(exec);
      await time.pass(1_000);
      const late = /is not done within 60 seconds/;
      await Promise.all([assert.rejects(first, late), assert.rejects(second, late)]);
    } finally {
      time.release();
    }
    await commandOf(3600);
    assert.deepEqual(await get(exec), { token: "secret" });
  });
});
