import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments, parseDocument } from "yaml";
import { objectLabel } from "../../../config/names/labels.ts";
import { starterName } from "../../../config/names/names.ts";
import { givenKinds } from "../../../config/objects/givenKinds.ts";
import { role } from "../../../objects/rbac/role.ts";
import { repository } from "../../../sandbox/paths.ts";
import { features } from "../../../watch/manifests/features.ts";
import { member, settings } from "../samples.ts";
import {
  fenced,
  fenceFile,
  listIn,
  type Manifest,
  manifestOf,
  manifests,
  podTemplate,
  watchFolder,
} from "./manifests.ts";

const { metadata, spec } = podTemplate();
const [container] = spec.containers;

/** The value of an option on the command line. */
const argument = (option: string) => container.args[container.args.indexOf(option) + 1];

// test/e2e/watch/image.more.ts runs it: its arguments, folders and probes.
describe("the Deployment of kubecamp watch", () => {
  it("is never there twice, and always has the name by which it knows its own locks", () => {
    const { replicas, strategy, selector } = manifestOf("Deployment", "kubecamp-watch").spec as {
      [key: string]: unknown;
    };
    assert.deepEqual({ replicas, strategy }, { replicas: 1, strategy: { type: "Recreate" } });
    assert.equal(spec.hostname, "kubecamp-watch");
    assert.ok(spec.terminationGracePeriodSeconds >= 300);
    const { matchLabels } = selector as { matchLabels: Record<string, string> };
    for (const [key, value] of Object.entries(matchLabels)) {
      assert.equal(metadata.labels[key], value);
    }
  });

  it("signs in as its ServiceAccount, in the context that the example of a stack names", () => {
    assert.equal(spec.serviceAccountName, manifestOf("ServiceAccount", "kubecamp-watch").metadata.name);
    const { data } = manifestOf("ConfigMap", "kubecamp-watch-kubeconfig") as unknown as { data: { config: string } };
    const kubeconfig = parseDocument(data.config).toJS();
    const stack = argument("--stack");
    const example = parseDocument(readFileSync(join(repository, `Pulumi.${stack}.yaml`), "utf8")).toJS();
    const { context } = example.config["kubecamp:cluster"];
    assert.equal(kubeconfig["current-context"], context);
    assert.deepEqual(
      kubeconfig.contexts.map(({ name }: { name: string }) => name),
      [context],
    );
  });
});

describe("the manifests of kubecamp watch", () => {
  it("are about one stack, one namespace and one identity", () => {
    const files = globSync("**/*.yaml", { cwd: watchFolder }).map((file) => join(watchFolder, file));
    const text = [...files, fenceFile].map((file) => readFileSync(file, "utf8")).join("\n");
    assert.deepEqual([...new Set(text.match(/kubecamp:\w+:/g))], [`kubecamp:${argument("--stack")}:`]);
    const bindings = manifests("**/*.yaml").filter(({ kind }) => kind.endsWith("RoleBinding"));
    assert.notEqual(bindings.length, 0);
    const identity = { kind: "ServiceAccount", name: "kubecamp-watch", namespace: "kubecamp-system" };
    for (const { kind, metadata, roleRef, subjects } of bindings) {
      assert.deepEqual(subjects, [identity]);
      // Each role is beside its binding, under the same name.
      const role = manifestOf(kind.replace("Binding", ""), metadata.name);
      assert.deepEqual(roleRef, { apiGroup: "rbac.authorization.k8s.io", kind: role.kind, name: role.metadata.name });
      assert.equal(role.metadata.namespace, metadata.namespace);
    }
    assert.match(text, /system:serviceaccount:kubecamp-system:kubecamp-watch'/);
    assert.equal(fenced("stack"), `"${argument("--stack")}"`);
    assert.equal(fenced("classNames"), `["${settings.route.className}"]`);
  });

  it("have a fence that lets members write at home what their roles do, and nothing else", () => {
    const read = ["get", "list", "watch"];
    const written = ["edit", "view"]
      .flatMap(
        (home) =>
          role(member({ member: "bob", type: "user", home, devices: { "gpu.example.com": 1 } }), settings).rules,
      )
      .filter(({ verbs }) => verbs.some((verb) => !read.includes(verb)));
    const pairs = written.flatMap(({ apiGroups, resources }) =>
      apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`)),
    );
    assert.deepEqual(listIn(fenced("writable")), [...new Set(pairs)].sort());
  });

  it("judges by the fence the pods of every kind that members are given, and no starter app", () => {
    for (const { pods, resource } of Object.values(givenKinds).filter((kind) => kind.pods !== undefined)) {
      assert.match(fenced("pods"), new RegExp(`'${resource}'[^?]*\\? \\[object\\.${pods?.join("\\.")}\\]`));
    }
    assert.ok(fenced("isGiven").includes(`labels['${objectLabel}']`));
    assert.ok(fenced("isGiven").includes("in ['true', 'theirs']"));
    assert.ok(fenced("isGiven").includes(`== '${starterName}'`));
  });
});

const pageOf = (name: string) => readFileSync(join(repository, "docs/run", name), "utf8");

describe("the pages about kubecamp watch in the cluster", () => {
  const page = pageOf("watch-in-cluster.md");

  it("say for each feature which settings take its rights", () => {
    const [, table = ""] = /\n(\| rights \|.*?)\n\n/s.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
    assert.deepEqual(rows.sort(), [...features]);
  });

  it("have an example for Pulumi's operator that goes with them", () => {
    const example = readFileSync(join(repository, "deploy/operator/stack.yaml"), "utf8");
    const objects = parseAllDocuments(example).map((document) => document.toJS() as Manifest);
    const kubeconfigIn = (all?: readonly Manifest[]) => {
      const { data } = manifestOf("ConfigMap", "kubecamp-watch-kubeconfig", all) as unknown as {
        data: { config: string };
      };
      return parseDocument(data.config).toJS();
    };
    assert.deepEqual(kubeconfigIn(objects), kubeconfigIn());
    const account = manifestOf("ServiceAccount", "kubecamp-watch").metadata;
    const { metadata, spec: stack } = manifestOf("Stack", "kubecamp-prod", objects) as Manifest & {
      spec: { stack: string; serviceAccountName: string };
    };
    assert.equal(metadata.namespace, account.namespace);
    assert.equal(stack.serviceAccountName, account.name);
    assert.equal(stack.stack, argument("--stack"));
  });
});
