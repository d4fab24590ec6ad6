import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, parseAllDocuments } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { grants, type Right, type Rule, rightsIn, textOf } from "../../../watch/manifests/rights/rights.ts";

export const watchFolder: string = join(repository, "deploy", "watch");
export const previewFolder: string = join(repository, "deploy", "preview");

/** An object of a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [key: string]: unknown;
}

/** All objects that files of deploy/watch declare, such as `rbac.yaml` or `optional/*.yaml`. */
export const manifests = (...patterns: readonly string[]): Manifest[] => manifestsIn(watchFolder, ...patterns);

/** Likewise those of a folder. */
export function manifestsIn(folder: string, ...patterns: readonly string[]): Manifest[] {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: folder })).sort();
  return files.flatMap((file) => documentsIn(join(folder, file)).map((document) => document.toJS() as Manifest));
}

const parsed = new Map<string, Document[]>();

/** Each file is parsed once, however many tests read it. */
function documentsIn(file: string): Document[] {
  const documents: Document[] = parsed.get(file) ?? parseAllDocuments(readFileSync(file, "utf8"));
  const mistake = documents.flatMap(({ errors }) => errors)[0];
  if (mistake !== undefined) {
    throw new Error(`${file}: ${mistake.message}`);
  }
  parsed.set(file, documents);
  return documents;
}

/** The one object of a kind and, where there are several, of a name. */
export function manifestOf(
  kind: string,
  name: string,
  objects: readonly Manifest[] = manifests("**/*.yaml"),
): Manifest {
  const [found, ...more] = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined || more.length > 0) {
    throw new Error(`${found === undefined ? "no" : "more than one"} ${kind} ${name}`);
  }
  return found;
}

/** A variable of the fence, in CEL. */
export function fenced(variable: string): string {
  const { spec } = manifestOf("ValidatingAdmissionPolicy", "kubecamp-watch");
  const { variables } = spec as { variables: { name: string; expression: string }[] };
  return variables.find(({ name }) => name === variable)?.expression ?? "";
}

/** The list of texts that stands in an expression. */
export const listIn = (expression: string): string[] =>
  JSON.parse((/\[[^\]]*\]/.exec(expression)?.[0] ?? "").replaceAll("'", '"'));

/** The Deployment's pod template. */
export function podTemplate(): PodTemplate {
  const { spec } = manifestOf("Deployment", "kubecamp-watch");
  return (spec as { readonly template: PodTemplate }).template;
}

/** As far as tests look at it. */
interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly hostname: string;
    readonly serviceAccountName: string;
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly [Container];
    readonly initContainers: readonly [Container];
    readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
  };
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

/** Rights that roles grant, without duplicates. One subject has all: in the whole cluster or in the role's namespace. */
export function rightsOf(objects: readonly Manifest[]): Right[] {
  const all = objects
    .filter(({ kind }) => kind === "ClusterRole" || kind === "Role")
    .flatMap(({ metadata, rules }) => rightsIn(rules as readonly Rule[], metadata.namespace));
  return [...new Map(all.map((right) => [textOf(right), right])).values()];
}

/** Rights that can each be removed without refusing a request that is granted now. */
export function unneeded(rights: readonly Right[], asked: readonly Right[]): Right[] {
  const granted = asked.filter((ask) => grants(rights, ask));
  return rights.filter((right) => {
    const others = rights.filter((other) => other !== right);
    return granted.every((ask) => grants(others, ask));
  });
}
