import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, parseAllDocuments } from "yaml";
import type { Configuration } from "../../../config/settings.ts";
import { repository } from "../../../sandbox/paths.ts";
import { type ManifestOptions, watchManifests } from "../../../watch/manifests/manifests.ts";
import type { PolicyRule } from "../../../watch/manifests/roles.ts";

export const watchFolder: string = join(repository, "deploy", "watch");
/** The fence, of stack `prod`. */
export const fenceFile: string = join(repository, "watch", "manifests", "fence.yaml");
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

/** What `kubecamp watch manifests` prints for a stack. */
export function printed(stack: Configuration, options: Partial<ManifestOptions> = {}) {
  const all = { name: "kubecamp-watch", features: [], prometheus: "monitoring", ...options };
  const { features, text } = watchManifests(stack, all);
  return { features, text, objects: parseAllDocuments(text).map((document) => document.toJS() as Manifest) };
}

/** An admission policy's variables, in CEL. */
export function variablesOf({ spec }: Manifest): Readonly<Record<string, string>> {
  const { variables } = spec as { variables: { name: string; expression: string }[] };
  return Object.fromEntries(variables.map(({ name, expression }) => [name, expression]));
}

/** A variable of the fence, in CEL. */
export function fenced(variable: string): string {
  const objects = documentsIn(fenceFile).map((document) => document.toJS() as Manifest);
  return variablesOf(manifestOf("ValidatingAdmissionPolicy", "kubecamp-watch", objects))[variable] ?? "";
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

/** A verb on a resource. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With the subresource, such as `pods/exec`. */
  readonly resource: string;
  /** The only object that it covers. Default: all. */
  readonly name?: string;
  /** The only namespace that it covers. Default: all. */
  readonly namespace?: string;
}

/** A right as text, such as `patch roles.rbac.authorization.k8s.io kubecamp-edit` or `create services in ingress-nginx`. */
export function textOf({ verb, group, resource, name, namespace }: Right): string {
  const what = group === "" ? resource : `${resource}.${group}`;
  return [
    verb,
    what,
    ...(name === undefined ? [] : [name]),
    ...(namespace === undefined ? [] : ["in", namespace]),
  ].join(" ");
}

/** Whether RBAC allows a request: one matching right is enough. */
export function grants(rights: readonly Right[], asked: Right): boolean {
  return rights.some(
    (right) =>
      right.verb === asked.verb &&
      right.group === asked.group &&
      right.resource === asked.resource &&
      (right.name === undefined || right.name === asked.name) &&
      (right.namespace === undefined || right.namespace === asked.namespace),
  );
}

/** Rights that rules grant, in a namespace or in the whole cluster. */
function rightsIn(rules: readonly PolicyRule[], namespace?: string): Right[] {
  const place = namespace === undefined ? {} : { namespace };
  return rules.flatMap(({ apiGroups, resources, resourceNames = [undefined], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          resourceNames.map((name) => ({ verb, group, resource, ...(name === undefined ? {} : { name }), ...place })),
        ),
      ),
    ),
  );
}

/** Rights that roles grant, without duplicates. One subject has all: in the whole cluster or in the role's namespace. */
export function rightsOf(objects: readonly Manifest[]): Right[] {
  const all = objects
    .filter(({ kind }) => kind === "ClusterRole" || kind === "Role")
    .flatMap(({ metadata, rules }) => rightsIn(rules as readonly PolicyRule[], metadata.namespace));
  return [...new Map(all.map((right) => [textOf(right), right])).values()];
}

const reading = ["get", "list", "watch"];
const isReading = ({ verb }: Right) => reading.includes(verb);
const isAbout = (right: Right, ask: Right) =>
  ask.group === right.group &&
  ask.resource === right.resource &&
  (right.name === undefined || right.name === ask.name) &&
  isReading(ask) === isReading(right);

/**
 * Rights that can each be removed without refusing a request that is granted now. Only of objects that
 * requests read, or write: a role serves stacks with other features, too.
 */
export function unneeded(rights: readonly Right[], asked: readonly Right[]): Right[] {
  const granted = asked.filter((ask) => grants(rights, ask));
  return rights.filter((right) => {
    const others = rights.filter((other) => other !== right);
    const alike = granted.filter((ask) => isAbout(right, ask));
    return alike.length > 0 && alike.every((ask) => grants(others, ask));
  });
}
