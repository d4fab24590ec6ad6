import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultKubernetes, kubernetesMinors } from "../../../sandbox/kubernetes.ts";
import { repository } from "../../../sandbox/paths.ts";
import { catalogue, toolsOf } from "../../../sandbox/tools/catalogue.ts";
import { isAtLeast } from "../../../sandbox/tools/versions.ts";

const textOf = (file: string) => readFileSync(join(repository, file), "utf8");
const { dependencies, devDependencies, engines } = JSON.parse(textOf("package.json")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  engines: { node: string };
};
const sdk = dependencies["@pulumi/pulumi"] ?? "";
const node = devDependencies.node ?? "";
const versionOf = (name: string) => catalogue.find((tool) => tool.name === name)?.version ?? "";

/** Distinct matches of a pattern in some files. */
function found(pattern: RegExp, ...files: string[]): string[] {
  const texts = globSync(files, { cwd: repository }).map(textOf);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0])))];
}

const workflows = [".github/workflows/*.yml", ".github/actions/*/action.yml", "deploy/github/sign-in.yml"];
const deployed = ["deploy/**/*.*", "deploy/watch/Containerfile", "commands/**/*.ts"];

describe("a version that stands in several places", () => {
  it("is the same in the catalogue and in the Go module that builds the tool", () => {
    const kubernetes = kubernetesMinors.flatMap((minor) => [
      ["kubectl", `kubernetes-${minor}`, /k8s\.io\/kubernetes v(\S+)/g] as const,
      ["etcd", `kubernetes-${minor}`, /go\.etcd\.io\/etcd\/server\/v3 v(\S+)/g] as const,
    ]);
    for (const [name, module, required] of [
      ...kubernetes,
      ["pulumi", "pulumi", /github\.com\/pulumi\/pulumi\/(?:pkg|sdk)\/v3 v(\S+)/g] as const,
    ]) {
      const tool = catalogue.find((tool) => tool.name === name && tool.module === module);
      assert.deepEqual(found(required, `sandbox/tools/modules/${module}/go.mod`), [tool?.version], module);
    }
  });

  it("is the same for all parts of Kubernetes", () => {
    for (const minor of kubernetesMinors) {
      const kubectl = toolsOf(minor).find(({ name }) => name === "kubectl") ?? assert.fail();
      const staging = found(/=> k8s\.io\/[\w-]+ (v\S+)/g, `sandbox/tools/modules/kubernetes-${minor}/go.mod`);
      assert.deepEqual(staging, [kubectl.version.replace(/^1/, "v0")]);
      assert.ok(kubectl.linkerFlags.endsWith(`gitMinor=${minor.split(".")[1]}`));
      assert.ok(kubectl.version.startsWith(`${minor}.`));
    }
  });

  it("is the same for what is said of Kubernetes", () => {
    assert.deepEqual(found(/rather than ([\d.]+\d)/g, "docs/start/sandbox.md"), [defaultKubernetes]);
    const [newest] = found(/--kubernetes ([\d.]+)/g, "docs/start/sandbox.md", "CONTRIBUTING.md");
    assert.equal(newest, kubernetesMinors.at(-1));
    assert.deepEqual(found(/kubernetes: "([\d.]+)"/g, ".github/workflows/ci.yml"), kubernetesMinors);
    const podSecurity = found(
      /(?:podSecurityVersion = "|(?:enforce|warn)-version: )(v[\d.]+)/g,
      "objects/namespace.ts",
      "deploy/**/*.yaml",
    );
    assert.deepEqual(podSecurity, [`v${defaultKubernetes}`]);
  });

  it("is the same for Pulumi's CLI in the sandbox and in workflows", () => {
    assert.deepEqual(found(/pulumi-version: (\S+)/g, ...workflows), [versionOf("pulumi")]);
  });

  it("has one version of Pulumi's SDK in packages and images, and the CLI's", () => {
    const tag = /docker\.io\/pulumi\/pulumi-nodejs-\d+:([\d.]+)/g;
    assert.deepEqual(found(tag, ...deployed), [sdk]);
    // The sandbox's CLI may be older: its Go module is not published for every version.
    assert.equal(sdk.split(".")[0], versionOf("pulumi").split(".")[0]);
    assert.ok(isAtLeast(sdk, versionOf("pulumi")));
  });

  it("is the same for Node in the packages, workflows, images and the dev container", () => {
    const [major = ""] = node.split(".");
    assert.equal(devDependencies["@types/node"]?.split(".")[0], major);
    assert.deepEqual(found(/node-version: "(\d+)"/g, ...workflows), [major]);
    assert.deepEqual(found(/pulumi-nodejs-(\d+):/g, ...deployed), [major]);
    assert.deepEqual(found(/typescript-node:(\d+)-/g, ".devcontainer/devcontainer.json"), [major]);
  });

  it("is the same for Go where it is set up, and enough for the modules", () => {
    const minor = /wantedGo = "(\d+\.\d+)\.\d+"/.exec(textOf("sandbox/tools/go.ts"))?.[1] ?? "";
    assert.deepEqual(found(/go-version: "([\d.]+)"/g, ...workflows), [minor]);
    assert.deepEqual(found(/features\/go:1": \{ "version": "([\d.]+)"/g, ".devcontainer/devcontainer.json"), [minor]);
    for (const wanted of found(/^go (\S+)/gm, "sandbox/tools/modules/*/go.mod")) {
      assert.ok(isAtLeast(`${minor}.0`, wanted), wanted);
    }
  });
});

describe("the engines in package.json", () => {
  it("are what kubecamp itself asks for", () => {
    const [, major, minor] =
      /major < (\d+) \|\| \(major === \d+ && minor < (\d+)\)/.exec(textOf("bin/kubecamp.mjs")) ?? [];
    assert.equal(engines.node, `>=${major}.${minor}`);
  });

  it("are enough for every package that it uses", () => {
    const own = `${engines.node.replace(">=", "")}.0`;
    const all = Object.keys({ ...dependencies, ...devDependencies });
    const asked = all.flatMap((name) => {
      const { engines } = JSON.parse(textOf(`node_modules/${name}/package.json`)) as { engines?: { node?: string } };
      return engines?.node === undefined ? [] : { name, range: engines.node };
    });
    assert.ok(asked.length > 10);
    const tooNew = asked.filter(
      ({ range }) =>
        !range.split("||").some((part) => isAtLeast(own, /^\s*(?:>=|\^)\s*([\d.]+)\s*$/.exec(part)?.[1] ?? "∞")),
    );
    assert.deepEqual(tooNew, []);
  });

  it("has the package's version as the newest release of the change log, with its day", () => {
    const { version } = JSON.parse(textOf("package.json")) as { version: string };
    const [, newest] = /^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$/m.exec(textOf("CHANGELOG.md")) ?? [];
    assert.equal(newest, version);
  });
});
