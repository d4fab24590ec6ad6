import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { V1CustomResourceDefinition } from "@kubernetes/client-node";
import { execa } from "execa";
import { parseAllDocuments } from "yaml";
import { goEnvironment } from "../../../../sandbox/tools/go.ts";
import type { TestSandbox } from "../sandbox.ts";

const folders = new Map<string, Promise<string>>();

/**
 * The folder of a module's files in Go's module cache, which the sandbox's tools come from, too.
 * @param release such as `sigs.k8s.io/gateway-api@v1.6.3`
 * @see https://go.dev/ref/mod#go-mod-download
 */
export function moduleFolder(release: string): Promise<string> {
  const folder = folders.get(release) ?? downloaded(release);
  folders.set(release, folder);
  return folder;
}

async function downloaded(release: string): Promise<string> {
  const env = await goEnvironment(process.env);
  const { stdout } = await execa("go", ["mod", "download", "-json", release], { env, extendEnv: false });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** A CustomResourceDefinition, as far as it is looked at. */
export interface Definition {
  readonly metadata: { readonly name: string };
}

/** The definitions of a module's files. */
export async function definitionsIn(files: readonly string[]): Promise<readonly Definition[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.flatMap((text) => parseAllDocuments(text).flatMap((document) => document.toJS() ?? []));
}

interface Kind {
  /** Such as `traefik.io`. */
  readonly group: string;
  readonly kind: string;
  /** Default: the kind in small letters, with an `s`. */
  readonly plural?: string;
  readonly scope?: "Namespaced" | "Cluster";
  /** The first is stored. Default: `v1`. */
  readonly versions?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly subresources?: object;
}

/** A CustomResourceDefinition whose versions are alike. @param rest more of their schema */
export function definitionOf(
  of: Kind,
  properties: object,
  rest: { readonly required?: readonly string[] } = {},
): Definition {
  const { group, kind, scope = "Namespaced", versions = ["v1"], annotations = {}, ...more } = of;
  const singular = kind.toLowerCase();
  const { plural = `${singular}s`, ...served } = more;
  const schema = { openAPIV3Schema: { type: "object", properties, ...rest } };
  const spec = {
    ...{ group, names: { kind, listKind: `${kind}List`, plural, singular }, scope },
    versions: versions.map((name, at) => ({ name, served: true, storage: at === 0, schema, ...served })),
  };
  const metadata = { name: `${plural}.${group}`, annotations };
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec };
  return definition;
}

/** Installs CustomResourceDefinitions. @returns a function that removes them with all their objects */
export async function installDefinitions(
  sandbox: TestSandbox,
  ...definitions: readonly Definition[]
): Promise<() => Promise<void>> {
  const names = definitions.map(({ metadata }) => metadata.name);
  await sandbox.apply(...definitions);
  const deadline = Date.now() + 60_000;
  for (const name of names) {
    while (!(await isEstablished(sandbox, name))) {
      assert.ok(Date.now() < deadline, `the API server does not serve ${name}`);
      await setTimeout(50);
    }
  }
  return async () => {
    for (const name of names) {
      if ((await sandbox.find(kind, name)) !== undefined) {
        await sandbox.destroy(kind, name);
      }
    }
  };
}

const kind = "customresourcedefinition";

async function isEstablished(sandbox: TestSandbox, name: string): Promise<boolean> {
  const { status } = await sandbox.get<V1CustomResourceDefinition>(kind, name);
  return (status?.conditions ?? []).some(({ type, status: value }) => type === "Established" && value === "True");
}
