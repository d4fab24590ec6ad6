import assert from "node:assert/strict";
import { HeadBucketCommand } from "@aws-sdk/client-s3";
import { kubecamp, kubecampProcess } from "../../commands/kubecamp.ts";
import type { Entry } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { own, useOwnProject } from "./ownProject.ts";

const ana: Entry = { member: "ana", type: "user" };
const ben: Entry = { member: "ben", type: "guest-user" };

describe("a project with resources of its own beside stack()", () => {
  const project = useOwnProject("owned");
  const { server, stack } = project;

  const surroundings = () => ({ cwd: stack.folder, env: stack.sandbox.env });
  const fine = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await kubecamp([...args, "--stack", "owned"], surroundings());
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    return stdout;
  };

  before(() => stack.configure([ana, ben]));

  it("reports the project's resources in a preview, and makes none", async () => {
    const touched = await touchedBy(stack, async () => {
      const report = await fine("preview");
      for (const object of ["Notice notice", "ConfigMap default/notice", "bucket notices"]) {
        assert.match(report, new RegExp(`^${object} +made$`, "m"));
      }
    });
    assert.deepEqual(touched, []);
  });

  it("makes the project's resources with an up, and has them in the state", async () => {
    await fine("up");
    assert.deepEqual(await project.known(), own);
    assert.equal(await project.term(), "spring");
    await server.client().send(new HeadBucketCommand({ Bucket: "notices" }));
  });

  it("leaves the project's resources alone in an up for one member", async () => {
    await project.notice("summer");
    await stack.configure([{ ...ana, maxCPUm: 900 }, ben]);
    const touched = await touchedBy(stack, () => fine("up", "--member", "ana"));
    assert.deepEqual(touched, ["ResourceQuota ana/quota"]);
    assert.deepEqual(await project.known(), own);
  });

  it("names an error of the project's own code once, in words, and changes nothing", async () => {
    await project.program('throw new Error("The notice has no reader.");');
    const touched = await touchedBy(stack, async () => {
      for (const [command, line] of [
        ["preview", "The notice has no reader."],
        ["up", "  The notice has no reader."],
      ] as const) {
        // In a process of its own: Pulumi's SDK leaves a rejection to the process.
        const { exitCode, stdout, stderr } = await kubecampProcess([command, "--stack", "owned"], surroundings());
        const text = `${stdout}\n${stderr}`;
        assert.equal(exitCode, 1, text);
        assert.deepEqual(text.match(/^.*no reader.*$/gm), [line]);
        assert.doesNotMatch(text, /Unhandled|\n\s+at /);
      }
    });
    assert.deepEqual(touched, []);
  });
});
