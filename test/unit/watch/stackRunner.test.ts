import assert from "node:assert/strict";
import { RunError } from "@pulumi/pulumi/errors.js";
import { errorText } from "../../../runs/pulumiWords.ts";
import { environmentOf } from "../../../runs/selectedStack.ts";
import { openStack } from "../../../watch/stackRunner.ts";

/** Opens a stack with an environment, and gives what that is refused with. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const before = process.env;
  process.env = { ...before, ...environment };
  try {
    await openStack({ folder: import.meta.dirname, stack: "prod" });
  } catch (error) {
    assert.ok(RunError.isInstance(error));
    return (error as Error).message;
  } finally {
    process.env = before;
  }
  return "";
}

describe("a stack", () => {
  it("is not opened where the environment would narrow every run of it", async () => {
    assert.equal(
      await refusal({ PULUMI_OPTION_TARGET: "**::bob", PULUMI_OPTION_TARGET_DEPENDENTS: "true" }),
      "PULUMI_OPTION_TARGET and PULUMI_OPTION_TARGET_DEPENDENTS in the environment would narrow every run of stack 'prod'; " +
        "unset it and start again",
    );
    assert.match(
      await refusal({ KUBECAMP_TARGET_FILE: "/tmp/aim.json" }),
      /^KUBECAMP_TARGET_FILE in the environment would narrow/,
    );
  });

  it("is not opened where the environment would have every run of it refused, since there is to be no cluster", async () => {
    assert.match(
      await refusal({ KUBECAMP_OFFLINE: "1" }),
      /^KUBECAMP_OFFLINE in the environment is for previews only, .* stack 'prod'.*\nRun 'unset KUBECAMP_OFFLINE'/,
    );
  });

  it("is not opened without Pulumi", async () => {
    assert.equal(
      await refusal({ PATH: import.meta.dirname }),
      `Stack 'prod' in ${import.meta.dirname} can't be opened: there is no 'pulumi' on the PATH; install it (https://www.pulumi.com/docs/install/), or put its folder there`,
    );
  });
});

describe("what Pulumi gets beside the watch's environment", () => {
  it("is a place for what Node has compiled, and differences side by side, unless it says otherwise itself", () => {
    const standard = {
      NODE_COMPILE_CACHE: "/project/node_modules/.cache/kubecamp",
      PULUMI_PARALLEL_DIFF: "true",
      KUBECAMP_UP: "1",
    };
    assert.deepEqual(environmentOf({ folder: "/project" }, {}), standard);
    const set = { NODE_COMPILE_CACHE: "/tmp/node", PULUMI_PARALLEL_DIFF: "false", KUBECAMP_UP: "1" };
    assert.deepEqual(environmentOf({ folder: "/project" }, set), set);
  });

  it("is the stack's file, where it is another", () => {
    const { PULUMI_OPTION_CONFIG_FILE } = environmentOf({ folder: "/project", configFile: "other.yaml" }, {});
    assert.equal(PULUMI_OPTION_CONFIG_FILE, "/project/other.yaml");
  });
});

describe("an error of Pulumi's command line", () => {
  it("is told in its own words, without the command", () => {
    const thrown = (text: string) =>
      `code: -2\n stdout: \n stderr: Command failed: pulumi config\n${text}\n err?: Error: x\ny\n`;
    assert.equal(errorText(thrown("error: no stack named 'x' found")), "no stack named 'x' found");
    assert.equal(errorText(thrown("warning: old\nerror: a\nb")), "a\nb");
    assert.equal(errorText(thrown("killed")), "Command failed: pulumi config\nkilled");
    assert.equal(errorText("\x1b[31merror: \x1b[0mno\n    at f (file:///a.ts:1:2)\n"), "no");
    // What is left after a first look must be no sequence, either.
    assert.equal(errorText("error: a\x1b\x1b[0m[2Jb\x07"), "a[2Jb");
  });
});
