import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { repository } from "../../../../sandbox/paths.ts";
import { type TestS3, useS3 } from "../../support/s3.ts";
import { type TestStack, useStack } from "../stack.ts";

/** The project's own resources, as they are in the state, in alphabetical order. */
export const own = [
  "camp:index:Notice$kubernetes:core/v1:ConfigMap::notice",
  "camp:index:Notice::notice",
  "kubecamp-buckets:index:Bucket::notices",
];

/** A project with a bucket and a component of its own beside `stack()`; the component is in a module of its own. */
export class OwnProject {
  readonly server: TestS3;
  readonly stack: TestStack;

  constructor(server: TestS3, stack: TestStack) {
    this.server = server;
    this.stack = stack;
  }

  async create(): Promise<void> {
    await symlink(join(repository, "node_modules"), join(this.stack.folder, "node_modules"));
    await this.#write("package.json", JSON.stringify({ name: "camp", type: "module" }));
    await this.program();
    await this.notice("spring");
  }

  /** @param more first statements of the program */
  async program(more = ""): Promise<void> {
    const { endpoint, accessKeyId, secretAccessKey } = this.server;
    const settings = JSON.stringify({ endpoint, accessKeyId, secretAccessKey, stack: "notices" });
    await this.#write(
      "index.ts",
      `import { Bucket, BucketsProvider } from "${repository}/buckets/resources.ts";
import { stack } from "${repository}/components/program.ts";
import { Notice } from "./notice.ts";

${more}
const provider = new BucketsProvider("notices", ${settings});
new Bucket("notices", { bucketName: "notices", member: "all", reclaimPolicy: "Delete" }, { provider });
new Notice("notice");
export const { members, pending } = await stack();
`,
    );
  }

  /** Edits the component's module. */
  async notice(term: string): Promise<void> {
    await this.#write(
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
  }

  /** The term in the ConfigMap on the cluster. */
  async term(): Promise<string | undefined> {
    const { data } = await this.stack.sandbox.get<V1ConfigMap>("configmap", "notice", "default");
    return data?.term;
  }

  /** Those of `own` that the state has. */
  async known(): Promise<string[]> {
    const names = (await this.stack.urns()).map((urn) => urn.split("::").slice(2).join("::"));
    return names.filter((name) => own.includes(name)).sort();
  }

  #write(file: string, text: string): Promise<void> {
    return writeFile(join(this.stack.folder, file), text);
  }
}

/** Such a project for the suite that calls this. */
export function useOwnProject(name: string): OwnProject {
  const project = new OwnProject(useS3(), useStack(name));
  before(() => project.create());
  // No stack of kubecamp's has it.
  after(() => project.stack.delete("configmap", "notice", "default"));
  return project;
}
