import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import zlib from "node:zlib";
import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { isMap, jsonIn } from "../values/maps.ts";
import { readProject } from "./files.ts";
import { readOrEmpty } from "./readOrEmpty.ts";

/** Query parameters of a folder's URL that don't change where the files are; any other might. */
const harmless = ["metadata", "no_tmp_dir", "create_dir"];

/**
 * File with a stack's state, if the backend is a folder on this machine. Reading it takes a tenth of the time of
 * `pulumi stack export`, which gives the same and takes no lock either. Pulumi replaces the file atomically.
 * @param folder the project's, with `Pulumi.yaml`
 * @returns undefined if Pulumi must be asked: another backend, a stack of another project, or no state yet
 * @see https://www.pulumi.com/docs/iac/concepts/state-and-backends/
 */
export function stateFile(folder: string, stack: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const project = readProject(folder);
  const root = env.PULUMI_OPTION_CWD === undefined ? backendFolder(backendUrl(project, env)) : undefined;
  const [name = "", ofProject = project.name, organization = "organization"] = stack.split("/").reverse();
  const isPlain = [name, ofProject].every((part) => typeof part === "string" && /^\w[\w.-]*$/.test(part));
  if (root === undefined || !isPlain || ofProject !== project.name || organization !== "organization") {
    return undefined;
  }
  const pulumi = join(root, ".pulumi");
  // Older backends have no folders of projects.
  if (!/^version: 1\s*$/.test(readOrEmpty(join(pulumi, "meta.yaml")))) {
    return undefined;
  }
  const file = join(pulumi, "stacks", String(ofProject), `${name}.json`);
  const found = [`${file}.zst`, `${file}.gz`, file].flatMap((path) => {
    const { mtimeNs } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
    return mtimeNs === undefined ? [] : [{ path, mtimeNs }];
  });
  // Pulumi uses the file that was written last.
  return found.sort((a, b) => Number(b.mtimeNs - a.mtimeNs))[0]?.path;
}

/** As `pulumi stack export` prints it; secrets stay encrypted. Undefined for a format that only Pulumi knows. */
export function stateIn(file: string): Deployment | undefined {
  try {
    // `features`: what a version of Pulumi must support to read the state.
    const { version, features, checkpoint }: Readonly<Record<string, unknown>> = Object(
      JSON.parse(unpacked(readFileSync(file)).toString()),
    );
    const isKnown = (version === 3 && features === undefined) || (version === 4 && isKnownList(features));
    return isKnown && isMap(checkpoint) ? { version, deployment: checkpoint.latest ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

/** Features that only add to the state and change nothing else in it. */
const known: readonly unknown[] = ["hooks", "refreshBeforeUpdate", "replaceWith", "taint"];
const isKnownList = (features: unknown) => Array.isArray(features) && features.every((name) => known.includes(name));

/** Detects compression by the first bytes, as Pulumi does, whatever the file's name. */
function unpacked(content: Buffer): Buffer {
  const is = (magic: string) => content.toString("hex", 0, magic.length / 2) === magic;
  if (is("1f8b")) {
    return zlib.gunzipSync(content);
  }
  return is("28b52ffd") ? zlib.zstdDecompressSync(content) : content;
}

/** Backends in the order in which Pulumi looks for them. */
function backendUrl({ backend }: ReturnType<typeof readProject>, env: NodeJS.ProcessEnv): unknown {
  const ofProject = isMap(backend) ? backend.url : undefined;
  const login = env.PULUMI_CREDENTIALS_PATH || env.PULUMI_HOME || join(home(), ".pulumi");
  // A relative path means the project's folder to Pulumi, and any folder to this process.
  const credentials = isAbsolute(login) ? jsonIn(readOrEmpty(join(login, "credentials.json"))) : undefined;
  return env.PULUMI_BACKEND_URL || ofProject || Object(credentials).current;
}

/** Home folder from the system's user database; Pulumi ignores HOME too. */
function home(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "";
  }
}

function backendFolder(url: unknown): string | undefined {
  const [, path = "", query = ""] =
    typeof url === "string" ? (/^file:\/\/([\w./~+@=,-]+)(?:\?([\w&=]*))?$/.exec(url) ?? []) : [];
  const isHarmless = [...new URLSearchParams(query).keys()].every((key) => harmless.includes(key));
  const folder = path.replace(/^~(?=\/|$)/, home());
  return isHarmless && isAbsolute(folder) ? folder : undefined;
}
