import { createRequire } from "node:module";
import type { ILanguageRuntimeServer } from "@pulumi/pulumi/proto/language_grpc_pb.js";
import language from "@pulumi/pulumi/proto/language_pb.js";
import plugins from "@pulumi/pulumi/proto/plugin_pb.js";
import { unary } from "../../../buckets/protocol/messages.ts";
import { messageOf } from "../../../cluster/api/errors.ts";
import { invocation, runtimeOptions } from "./invocation.ts";
import { directDependencies, requiredPlugins } from "./packages.ts";
import { type Caller, findRunModule, type Outcome, type ProgramRunner, runProgram } from "./program.ts";

interface LanguageRuntime {
  readonly service: Partial<ILanguageRuntimeServer>;
  /** Ends the running programs, and waits for them. */
  readonly stop: () => Promise<void>;
}

/** Protocol Buffers' empty message, which is returned unchanged. */
type Empty = Parameters<ILanguageRuntimeServer["cancel"]>[0]["request"];

/** Pulumi's LanguageRuntime protocol, as far as running a program needs it. */
export function languageRuntime(
  engineAddress: string,
  caller: Caller,
  run: ProgramRunner = runProgram,
): LanguageRuntime {
  const over = new AbortController();
  const runs: Promise<Outcome>[] = [];
  const stop = async (): Promise<void> => {
    over.abort();
    await Promise.allSettled(runs);
  };

  const service: Partial<ILanguageRuntimeServer> = {
    handshake: unary(async () => new language.LanguageHandshakeResponse()),
    getPluginInfo: unary(async () => new plugins.PluginInfo().setVersion(sdkVersion())),
    runtimeOptionsPrompts: unary(async () => new language.RuntimeOptionsResponse()),

    getRequiredPackages: unary(async (request: InstanceType<typeof language.GetRequiredPackagesRequest>) => {
      const found = await requiredPlugins(request.getInfo()?.getProgramDirectory() ?? ".");
      const packages = found.map(({ name, version }) =>
        new plugins.PackageDependency().setName(name).setKind("resource").setVersion(version),
      );
      return new language.GetRequiredPackagesResponse().setPackagesList(packages);
    }),

    getProgramDependencies: unary(async (request: InstanceType<typeof language.GetProgramDependenciesRequest>) => {
      const found = await directDependencies(request.getInfo()?.getProgramDirectory() ?? ".");
      const dependencies = found.map(({ name, version }) =>
        new language.DependencyInfo().setName(name).setVersion(version),
      );
      return new language.GetProgramDependenciesResponse().setDependenciesList(dependencies);
    }),

    about: unary(async () => new language.AboutResponse().setExecutable(process.execPath).setVersion(process.version)),

    run: unary(async (request: InstanceType<typeof language.RunRequest>) => {
      const info = request.getInfo();
      const response = new language.RunResponse();
      try {
        const options = runtimeOptions(info?.getOptions()?.toJavaScript() ?? {});
        const runModule = findRunModule(info?.getProgramDirectory() ?? ".");
        const running = run(invocation(request.toObject(), options, engineAddress, runModule), caller, over.signal);
        runs.push(running);
        const outcome = await running;
        return response.setError(outcome.error).setBail(outcome.bail);
      } catch (error) {
        return response.setError(messageOf(error));
      }
    }),

    cancel: unary(async (nothing: Empty) => {
      void stop();
      return nothing;
    }),
  };
  return { service, stop };
}

function sdkVersion(): string {
  const { version } = createRequire(import.meta.url)("@pulumi/pulumi/package.json") as { version: string };
  return version;
}
