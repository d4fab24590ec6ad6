import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HeadBucketCommand } from "@aws-sdk/client-s3";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { kubecamp, kubecampProcess } from "../../commands/kubecamp.ts";
import { useS3 } from "../../support/s3.ts";
import { RunningWatch } from "../../watch/runningWatch.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";

const ana: Entry = { member: "ana", type: "user" };
const ben: Entry = { member: "ben", type: "guest-user" };
const cleo: Entry = { member: "cleo", type: "guest-user" };
/** The project's own, as they are in the state. */
const own = [
  "camp:index:Notice::notice",
  "camp:index:Notice$kubernetes:core/v1:ConfigMap::notice",
  "kubecamp-buckets:index:Bucket::notices",
];

describe("a project with resources of its own beside stack()", () => {
  const server = useS3();
  const stack = useStack("owned");
  let watch: RunningWatch | undefined;

  const write = (file: string, text: string) => writeFile(join(stack.folder, file), text);
  const notice = (term: string) =>
    write(
      "notice.ts",
      `import { core } from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

export class Notice extends pulumi.ComponentResource {
  constructor(name: string) {
    super("camp:index:Notice", name);
    const metadata = { name, namespace: "default" };
    new core.v1.ConfigMap(name, { metadata, data: { term: "${term}" } }, { parent: this });
  }
}
`,
    );
  const program = async (more = "") => {
    const { endpoint, accessKeyId, secretAccessKey } = server;
    const settings = JSON.stringify({ endpoint, accessKeyId, secretAccessKey, stack: "notices" });
    await write(
      "index.ts",
      `import { Bucket } from "${repository}/buckets/resources/bucket.ts";
import { BucketsProvider } from "${repository}/buckets/resources/bucketsProvider.ts";
import { stack } from "${repository}/components/program.ts";
import { Notice } from "./notice.ts";

const provider = new BucketsProvider("notices", ${settings});
${more}
new Bucket("notices", { bucketName: "notices", member: "all", reclaimPolicy: "Delete" }, { provider });
new Notice("notice");
export const { members, pending } = await stack();
`,
    );
  };
  const surroundings = () => ({ cwd: stack.folder, env: stack.sandbox.env });
  const fine = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await kubecamp([...args, "--stack", "owned"], surroundings());
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    return `${stderr}\n${stdout}`;
  };
  const term = async () => (await stack.sandbox.get<V1ConfigMap>("configmap", "notice", "default")).data?.term;
  const ofProject = async () =>
    (await stack.urns()).map((urn) => urn.split("::").slice(2).join("::")).filter((urn) => own.includes(urn));

  before(async () => {
    await symlink(join(repository, "node_modules"), join(stack.folder, "node_modules"));
    await write("package.json", JSON.stringify({ name: "camp", type: "module" }));
    await notice("spring");
    await program();
    await stack.configure([ana, ben]);
  });
  after(async () => {
    await watch?.end("SIGTERM");
  });

  it("reports the project's resources in a preview, and makes none", async () => {
    const touched = await touchedBy(stack, async () => {
      const report = await fine("preview");
      assert.match(report, /^Notice notice +made$/m);
      assert.match(report, /^ConfigMap default\/notice +made$/m);
      assert.match(report, /^bucket notices +made$/m);
      assert.match(report, /^ben +guest-user/m);
    });
    assert.deepEqual(touched, []);
  });

  it("makes the project's resources with an up, and has them in the state", async () => {
    await fine("up");
    assert.deepEqual((await ofProject()).sort(), [...own].sort());
    assert.equal(await term(), "spring");
    await server.client().send(new HeadBucketCommand({ Bucket: "notices" }));
  });

  it("leaves the project's resources alone in an up for one member", async () => {
    await notice("summer");
    await stack.configure([{ ...ana, maxCPUm: 900 }, ben]);
    const touched = await touchedBy(stack, () => fine("up", "--member", "ana"));
    assert.deepEqual(touched, ["ResourceQuota ana/quota"]);
    assert.deepEqual((await ofProject()).sort(), [...own].sort());
  });

  it("names an error of the project's own code once, in words, and changes nothing", async () => {
    await program('throw new Error("The notice has no reader.");');
    for (const name of ["preview", "up"]) {
      const touched = await touchedBy(stack, async () => {
        // In a process of its own: Pulumi's SDK leaves a rejection to the process.
        const { exitCode, stdout, stderr } = await kubecampProcess([name, "--stack", "owned"], surroundings());
        const text = `${stdout}\n${stderr}`;
        assert.equal(exitCode, 1, text);
        assert.deepEqual(text.match(/^.*no reader.*$/gm), [`${name === "up" ? "  " : ""}The notice has no reader.`]);
      });
      assert.deepEqual(touched, []);
    }
    await program();
  });

  it("takes edits of the project's module in the next rounds of a watch", async () => {
    const round = async (end: number) => {
      await watch?.reported("up ended", { result: "succeeded", kind: "full" }, end);
      return watch?.lines.length ?? 0;
    };
    watch = await RunningWatch.start(stack);
    let lines = await round(0);
    assert.equal(await term(), "summer");
    for (const [now, list] of [
      ["autumn", [ana, ben, cleo]],
      ["winter", [ana, cleo]],
    ] as const) {
      await notice(now);
      await stack.configure(list);
      lines = await round(lines);
      assert.equal(await term(), now);
    }
    assert.deepEqual((await ofProject()).sort(), [...own].sort());
    assert.equal(await watch.end("SIGTERM"), 0);
  });
});
