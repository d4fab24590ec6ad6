import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { gunzipSync } from "node:zlib";
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
  const root = backendFolder(backendUrl(project, env));
  const [name = "", ofProject = project.name, organization = "organization"] = stack.split("/").reverse();
  const isPlain = [name, ofProject].every((part) => typeof part === "string" && /^[\w.-]+$/.test(part));
  if (root === undefined || !isPlain || ofProject !== project.name || organization !== "organization") {
    return undefined;
  }
  const pulumi = join(root, ".pulumi");
  // Older ones have no folders of projects.
  if (!/^version: 1\s*$/m.test(textOf(join(pulumi, "meta.yaml")))) {
    return undefined;
  }
  const file = join(pulumi, "stacks", String(ofProject), `${name}.json`);
  // As Pulumi does: of two the one that was written last.
  const files = [file, `${file}.gz`].filter((path) => existsSync(path));
  return files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}

/**
 * What `pulumi stack export` would give of a state in a file: secrets stay encrypted.
 * @returns undefined for what this version does not know, so that Pulumi is asked
 */
export function stateIn(file: string): Deployment | undefined {
  try {
    const content = readFileSync(file);
    const text = (file.endsWith(".gz") ? gunzipSync(content) : content).toString();
    const { version, checkpoint }: Versioned = JSON.parse(text);
    const isKnown = version === 3 && isMap(checkpoint);
    return isKnown ? { version, deployment: checkpoint.latest ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

interface Versioned {
  readonly version: unknown;
  readonly checkpoint: unknown;
}

/** In the order in which Pulumi looks for it. */
function backendUrl({ backend }: ReturnType<typeof readProject>, env: NodeJS.ProcessEnv): unknown {
  const { PULUMI_BACKEND_URL, PULUMI_CREDENTIALS_PATH, PULUMI_HOME = join(homedir(), ".pulumi") } = env;
  const ofProject = isMap(backend) ? backend.url : undefined;
  return PULUMI_BACKEND_URL || ofProject || currentIn(join(PULUMI_CREDENTIALS_PATH || PULUMI_HOME, "credentials.json"));
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
    typeof url === "string" ? (/^file:\/\/([^?#%]+)(?:\?([^#]*))?$/.exec(url) ?? []) : [];
  const isHarmless = [...new URLSearchParams(query).keys()].every((key) => harmless.includes(key));
  const folder = path.replace(/^~(?=\/|$)/, homedir());
  return isHarmless && isAbsolute(folder) ? folder : undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
