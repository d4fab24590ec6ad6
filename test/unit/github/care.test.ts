import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { actionlint, caddy, catalogue, helm } from "../../../scaffold/sandbox/tools/catalogue.ts";

const textOf = (file: string) => readFileSync(join(repository, file), "utf8");
const files = globSync(["{.github,deploy,commands,scaffold}/**/*.{yml,yaml,ts}", "{Pulumi,members}*.yaml"], {
  cwd: repository,
});

interface Manager {
  readonly customType: string;
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
  readonly depNameTemplate?: string;
}

interface Renovate {
  readonly customManagers: readonly Manager[];
  readonly packageRules: readonly { readonly groupName?: string; readonly matchPackageNames?: readonly string[] }[];
}

describe("renovate.json", () => {
  const { customManagers, packageRules } = JSON.parse(textOf(".github/renovate.json")) as Renovate;
  /** Matches of a manager's regular expressions, as Renovate finds them. */
  const finds = ({ managerFilePatterns, matchStrings, depNameTemplate }: Manager) =>
    files
      .filter((file) => managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(file)))
      .flatMap((file) =>
        matchStrings.flatMap((pattern) =>
          [...textOf(file).matchAll(new RegExp(pattern, "g"))].map(({ groups }) => ({
            file,
            name: groups?.depName ?? depNameTemplate,
            version: groups?.currentValue,
          })),
        ),
      );
  const [tools = [], cli = [], images = []] = customManagers.map(finds);
  const grouped = (name: string) =>
    packageRules.find(
      ({ groupName, matchPackageNames = [] }) => groupName && matchPackageNames.some((glob) => matchesGlob(name, glob)),
    )?.groupName;

  it("finds the version of every tool in the catalogue", () => {
    const versions = new Set([...catalogue, actionlint, caddy, helm].map(({ version }) => version));
    assert.deepEqual(new Set(tools.map(({ version }) => version)), versions);
    assert.equal(tools.length, versions.size);
    for (const { name } of tools) {
      const modules = globSync("scaffold/sandbox/tools/modules/*/go.mod", { cwd: repository }).map(textOf);
      assert.ok(
        modules.some((text) => text.includes(`${name} v`)),
        name,
      );
    }
  });

  it("finds Pulumi's CLI in every workflow that installs it, and Pulumi's image wherever it is", () => {
    const having = (pattern: RegExp) => files.filter((file) => pattern.test(textOf(file))).toSorted();
    assert.deepEqual(cli.map(({ file }) => file).toSorted(), having(/pulumi-version:/));
    assert.deepEqual([...new Set(images.map(({ file }) => file))].toSorted(), having(/docker\.io\/pulumi\//));
    for (const { version } of [...cli, ...images]) assert.match(version ?? "", /^\d+\.\d+\.\d+$/);
  });

  it("changes together what must agree", () => {
    for (const name of ["@pulumi/pulumi", "github.com/pulumi/pulumi/pkg/v3", "docker.io/pulumi/pulumi-nodejs-24"]) {
      assert.equal(grouped(name), "Pulumi", name);
    }
    for (const name of ["k8s.io/kubernetes", "k8s.io/api", "go.etcd.io/etcd/server/v3"]) {
      assert.equal(grouped(name), "Kubernetes", name);
    }
  });
});

describe("CODEOWNERS", () => {
  it("has an owner for everything, and one for each file that gives access", () => {
    const lines = textOf(".github/CODEOWNERS")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(/\s+/));
    for (const [, owner = ""] of lines) assert.match(owner, /^@[\w-]+\/[\w-]+$/);
    const [everything, ...others] = lines.map(([pattern = ""]) => pattern);
    assert.equal(everything, "*");
    const named = (file: string) => others.filter((pattern) => matchesGlob(`/${file}`, pattern));
    for (const pattern of others)
      assert.ok(
        files.some((file) => named(file).includes(pattern)),
        pattern,
      );
    for (const file of ["Pulumi.prod.yaml", "members.prod.yaml"]) assert.equal(named(file).length, 1, file);
  });
});

describe("package.json", () => {
  it("decides about each package with an install script, since .npmrc hides npm's warning", () => {
    const { allowScripts } = JSON.parse(textOf("package.json")) as { allowScripts: object };
    const { packages } = JSON.parse(textOf("package-lock.json")) as {
      packages: Record<string, { hasInstallScript?: true }>;
    };
    const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path.replace(/.*node_modules\//, "")] : [],
    );
    assert.deepEqual(Object.keys(allowScripts).toSorted(), scripted.toSorted());
  });
});

describe("the forms of issues", () => {
  it("are such as GitHub shows", () => {
    const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: repository });
    assert.equal(forms.length, 2);
    for (const file of forms) {
      const form = parse(textOf(file)) as Record<string, unknown> & {
        readonly body: readonly { type: string; id?: string; attributes: Record<string, unknown> }[];
      };
      assert.deepEqual(Object.keys(form), ["name", "description", "labels", "body"]);
      const fields = form.body.filter(({ type }) => type !== "markdown");
      assert.ok(fields.length > 0);
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
      for (const { type, id, attributes } of fields) {
        assert.ok(["textarea", "input"].includes(type), type);
        assert.match(id ?? "", /^[a-z]+$/);
        assert.equal(typeof attributes.label, "string");
      }
    }
  });
});

describe("the dev container", () => {
  /** Keys of https://containers.dev/implementors/json_reference/ for a container without a Dockerfile or Compose. */
  const known =
    "name image features overrideFeatureInstallOrder forwardPorts portsAttributes otherPortsAttributes updateRemoteUserUID containerEnv " +
    "containerUser remoteEnv remoteUser mounts workspaceMount workspaceFolder runArgs init privileged capAdd securityOpt customizations " +
    "hostRequirements initializeCommand onCreateCommand updateContentCommand postCreateCommand postStartCommand postAttachCommand waitFor " +
    "userEnvProbe overrideCommand shutdownAction secrets";
  const container = JSON.parse(textOf(".devcontainer/devcontainer.json")) as Record<string, unknown>;

  it("has keys that there are, of a pinned image", () => {
    assert.deepEqual(
      Object.keys(container).filter((key) => !known.split(" ").includes(key)),
      [],
    );
    assert.match(String(container.image), /^mcr\.microsoft\.com\/devcontainers\/[\w-]+:[\w.-]+$/);
    for (const feature of Object.keys(Object(container.features)))
      assert.match(feature, /^ghcr\.io\/devcontainers\/features\/\w+:\d+$/);
    assert.deepEqual(Object.keys(Object(container.hostRequirements)).toSorted(), ["cpus", "memory", "storage"]);
  });

  it("opens once the sandbox runs", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    assert.equal(container.postCreateCommand, "npm ci");
    assert.equal(container.postStartCommand, "npm run sandbox");
    assert.equal(container.waitFor, "postStartCommand");
    assert.ok("sandbox" in scripts);
  });
});
