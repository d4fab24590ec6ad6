import { parseArgs } from "node:util";
import type { CommandResult } from "../sandbox.ts";
import type { ApiClient } from "./apiClient.ts";
import { discover, pathOf, type Resource } from "./discovery.ts";
import { template } from "./jsonPath.ts";

/**
 * Answers a `kubectl get` in this process: a process for each costs a tenth of a second of CPU, and tests that wait for
 * something ask several times a second.
 * @returns what kubectl would have printed; undefined if the question is one for the real kubectl
 */
export type KubectlGet = (args: readonly string[]) => Promise<CommandResult | undefined>;

interface Question {
  /** Plural, singular or short. */
  readonly word: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly query: string;
  readonly mayBeAbsent: boolean;
  readonly print: (found: Found, resource: Resource) => string;
}

interface Found {
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata: { readonly name?: string };
}

export function kubectlGet({ ask, read }: Pick<ApiClient, "ask" | "read">): KubectlGet {
  let resources: Promise<readonly Resource[]> | undefined;
  const find = async (word: string): Promise<Resource | undefined> => {
    const of = (all: readonly Resource[]) =>
      all.find(({ resource, aliases }) => resource === word || aliases.includes(word));
    // A test may have defined the kind since.
    const known = of((await resources?.catch(() => undefined)) ?? []);
    if (known !== undefined) return known;
    resources = discover(read);
    return of(await resources);
  };
  return async (args) => {
    const question = questionOf(args);
    if (question === undefined) return undefined;
    // While the API server is away, kubectl has the words for it.
    return await answer(question).catch(() => undefined);
  };

  async function answer(question: Question): Promise<CommandResult | undefined> {
    const resource = await find(question.word);
    if (resource === undefined) return undefined;
    const { code, body } = await ask("GET", pathOf(resource, question.namespace, question.name) + question.query);
    const found = JSON.parse(body) as Found & { readonly reason?: string; readonly message?: string };
    if (code === 200) {
      return {
        exitCode: 0,
        stdout: question.print(withKinds(found, resource), resource).replace(/\n$/, ""),
        stderr: "",
      };
    }
    // Others, such as 429, kubectl tries again.
    if (found.reason !== "NotFound") return undefined;
    if (question.mayBeAbsent) return { exitCode: 0, stdout: "", stderr: "" };
    return { exitCode: 1, stdout: "", stderr: `Error from server (NotFound): ${found.message}` };
  }
}

function questionOf([verb, ...rest]: readonly string[]): Question | undefined {
  if (verb !== "get" || rest.includes("--raw")) return undefined;
  const parsed = parsedOf(rest);
  if (parsed === undefined) return undefined;
  const { values, positionals } = parsed;
  const [what = "", named, ...others] = positionals;
  const [word = "", name = named, ...further] = what.split("/");
  const isOne = others.length === 0 && further.length === 0 && (name === named || named === undefined);
  const print = printer(values.output ?? "");
  if (!isOne || word.includes(",") || print === undefined) return undefined;
  const query = new URLSearchParams({
    ...(values.selector === undefined ? {} : { labelSelector: values.selector }),
    ...(values["field-selector"] === undefined ? {} : { fieldSelector: values["field-selector"] }),
  });
  return {
    word,
    name,
    namespace: values["all-namespaces"] ? undefined : (values.namespace ?? "default"),
    query: query.size === 0 ? "" : `?${query}`,
    mayBeAbsent: values["ignore-not-found"] ?? false,
    print,
  };
}

function parsedOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        namespace: { type: "string", short: "n" },
        "all-namespaces": { type: "boolean", short: "A" },
        selector: { type: "string", short: "l" },
        "field-selector": { type: "string" },
        "ignore-not-found": { type: "boolean" },
        output: { type: "string", short: "o" },
      },
    });
  } catch {
    // It has further options.
    return undefined;
  }
}

function printer(output: string): Question["print"] | undefined {
  if (output === "json")
    return (found) => JSON.stringify(found, (key, value) => (key === "managedFields" ? undefined : value));
  if (output === "name") {
    return ({ items, metadata }, { group, kind }) => {
      const type = `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}`;
      return (items ?? [{ metadata }]).map(({ metadata: { name } }) => `${type}/${name}`).join("\n");
    };
  }
  const [, text] = /^jsonpath=(.*)$/s.exec(output) ?? [];
  return text === undefined ? undefined : template(text);
}

/** The API server names the kind of a list's items only once. */
function withKinds<T extends Found>(found: T, { apiVersion, kind }: Resource): Found {
  const { items } = found;
  if (items === undefined) return found;
  return {
    ...found,
    ...{ apiVersion: "v1", kind: "List", metadata: { resourceVersion: "" } },
    items: items.map((item) => ({ apiVersion, kind, ...item })),
  };
}
