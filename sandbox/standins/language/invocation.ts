import type { RunRequest } from "@pulumi/pulumi/proto/language_pb.js";

export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type Run = ReturnType<RunRequest["toObject"]>;

/** Pulumi.yaml's `runtime.options`, with the names and defaults of the official host. */
interface RuntimeOptions {
  readonly typescript: boolean;
  readonly tsconfig: string;
  readonly nodeargs: string;
}

export function runtimeOptions(options: Readonly<Record<string, unknown>>): RuntimeOptions {
  return {
    typescript: option(options, "typescript", true),
    tsconfig: option(options, "tsconfig", ""),
    nodeargs: option(options, "nodeargs", ""),
  };
}

/** The command line and environment of a program's Node process, exactly as the official host makes them. */
export function invocation(run: Run, options: RuntimeOptions, engineAddress: string, runModule: string): Invocation {
  const flags: [string, string | undefined][] = [
    ["monitor", run.monitorAddress],
    ["engine", engineAddress],
    ["organization", run.organization],
    ["project", run.project],
    ["root-directory", run.info?.rootDirectory],
    ["stack", run.stack],
    ["pwd", run.info?.programDirectory],
  ];
  return {
    args: [
      ...words(options.nodeargs),
      runModule,
      ...flags.flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
      ...(run.dryrun ? ["--dry-run"] : []),
      "--parallel",
      String(run.parallel),
      run.info?.entryPoint ?? ".",
      ...run.argsList,
    ],
    env: {
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(run.configMap.map(([key, value]) => [oldKey(key), value]))),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(run.configsecretkeysList),
      ...(options.typescript ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
      ...(options.tsconfig === "" ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
    },
  };
}

/** The SDK still reads keys as `project:config:name`. */
function oldKey(key: string): string {
  const [namespace = "", ...name] = key.split(":");
  return name[0] === "config" ? key : `${namespace}:config:${name.join(":")}`;
}

/** Splits text into words as a shell does, and removes quotes. */
function words(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function option<T extends string | boolean>(options: Readonly<Record<string, unknown>>, name: string, fallback: T): T {
  const value = options[name] ?? fallback;
  if (typeof value !== typeof fallback) {
    throw new Error(`${name} option must be a ${typeof fallback}`);
  }
  return value as T;
}
