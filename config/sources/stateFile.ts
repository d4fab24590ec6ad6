import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import zlib from "node:zlib";
import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { isMap } from "../model/maps.ts";
import { readProject } from "./files.ts";

/** Query parameters of a folder's URL that say how files are written: any other may say where. */
const harmless = ["metadata", "no_tmp_dir", "create_dir"];

/**
 * The file in which a backend that is a folder of this machine has a stack's state. To read it takes a tenth of what
 * `pulumi stack export` takes, which has no lock either, and gives the same. It is replaced in one go.
 * @param folder the project's, with `Pulumi.yaml`
 * @returns undefined where Pulumi has to be asked: another backend, a stack of another project, or no state yet
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
  // Older ones have no folders of projects.
  if (!/^version: 1\s*$/.test(textOf(join(pulumi, "meta.yaml")))) {
    return undefined;
  }
  const file = join(pulumi, "stacks", String(ofProject), `${name}.json`);
  const found = [`${file}.zst`, `${file}.gz`, file].flatMap((path) => {
    const { mtimeNs } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
    return mtimeNs === undefined ? [] : [{ path, mtimeNs }];
  });
  // As Pulumi does: of several the one that was written last.
  return found.sort((a, b) => Number(b.mtimeNs - a.mtimeNs))[0]?.path;
}

/**
 * What `pulumi stack export` would give of a state in a file: secrets stay encrypted.
 * @returns undefined for what this version does not know, so that Pulumi is asked
 */
export function stateIn(file: string): Deployment | undefined {
  try {
    const { version, features, checkpoint }: Versioned = JSON.parse(unpacked(readFileSync(file)).toString());
    const isKnown = (version === 3 && features === undefined) || (version === 4 && isKnownList(features));
    return isKnown && isMap(checkpoint) ? { version, deployment: checkpoint.latest ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

interface Versioned {
  readonly version: unknown;
  /** What only some versions of Pulumi can do something with. */
  readonly features?: unknown;
  readonly checkpoint: unknown;
}

/** Those that add to what is there, and leave the rest what it is. */
const known: readonly unknown[] = ["hooks", "refreshBeforeUpdate", "replaceWith", "taint"];
const isKnownList = (features: unknown) => Array.isArray(features) && features.every((name) => known.includes(name));

/** By what it begins with, as Pulumi does, whatever the file is called. */
function unpacked(content: Buffer): Buffer {
  const is = (magic: string) => content.toString("hex", 0, magic.length / 2) === magic;
  return is("1f8b") ? zlib.gunzipSync(content) : is("28b52ffd") ? zlib.zstdDecompressSync(content) : content;
}

/** In the order in which Pulumi looks for it. */
function backendUrl({ backend }: ReturnType<typeof readProject>, env: NodeJS.ProcessEnv): unknown {
  const ofProject = isMap(backend) ? backend.url : undefined;
  const login = env.PULUMI_CREDENTIALS_PATH || env.PULUMI_HOME || join(home(), ".pulumi");
  // Pulumi runs in the project's folder, this process anywhere.
  return (
    env.PULUMI_BACKEND_URL || ofProject || (isAbsolute(login) ? currentIn(join(login, "credentials.json")) : undefined)
  );
}

/** As the system knows it, which Pulumi goes by, whatever HOME says. */
function home(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "";
  }
}

function currentIn(credentials: string): unknown {
  try {
    return JSON.parse(textOf(credentials)).current;
  } catch {
    return undefined;
  }
}

function backendFolder(url: unknown): string | undefined {
  const [, path = "", query = ""] =
    typeof url === "string" ? (/^file:\/\/([\w./~+@=,-]+)(?:\?([\w&=]*))?$/.exec(url) ?? []) : [];
  const isHarmless = [...new URLSearchParams(query).keys()].every((key) => harmless.includes(key));
  const folder = path.replace(/^~(?=\/|$)/, home());
  return isHarmless && isAbsolute(folder) ? folder : undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
