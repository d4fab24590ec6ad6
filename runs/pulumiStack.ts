import type {
  PreviewOptions,
  PreviewResult,
  PulumiFn,
  Stack,
  UpOptions,
  UpResult,
} from "@pulumi/pulumi/automation/index.js";
import { type PulumiPlace, pulumi } from "./pulumiCommand.ts";

type WithProgram<T> = T & { readonly program: PulumiFn };

/** Loads the Automation API, which takes half a second, only for runs. */
export class PulumiStack implements PulumiPlace {
  readonly name: string;
  readonly workspace: PulumiPlace["workspace"];
  #stack: Promise<Stack> | undefined;

  constructor(name: string, workspace: PulumiPlace["workspace"]) {
    this.name = name;
    this.workspace = workspace;
  }

  /** Loads Pulumi's API, and makes sure that the `pulumi` on the PATH is new enough for it. */
  async open(): Promise<Stack> {
    this.#stack ??= this.#opened();
    this.#stack.catch(() => {
      this.#stack = undefined;
    });
    return await this.#stack;
  }

  async up(options: WithProgram<UpOptions>): Promise<UpResult> {
    return await (await this.#ready()).up(options);
  }

  async preview(options: WithProgram<PreviewOptions>): Promise<PreviewResult> {
    return await (await this.#ready()).preview(options);
  }

  async cancel(): Promise<void> {
    await pulumi(this, ["cancel", "--yes"]);
  }

  async #ready(): Promise<Stack> {
    const stack = await this.open();
    Object.assign(stack.workspace, { envVars: this.workspace.envVars });
    return stack;
  }

  async #opened(): Promise<Stack> {
    const { workDir, envVars } = this.workspace;
    const [{ LocalWorkspace, Stack }] = await Promise.all([
      import("@pulumi/pulumi/automation/index.js"),
      import("./nodeSettings.ts"),
    ]);
    // Every run's program needs the second, which loads while the first waits for a command.
    const [pulumiCommand] = await Promise.all([commandOnPath(process.env.PATH), import("../components/program.ts")]);
    const workspace = await LocalWorkspace.create({ workDir, envVars, pulumiCommand });
    // The stack is known to exist. Selecting it would change the stack of a plain `pulumi` in that folder.
    workspace.selectStack = async () => {};
    const stack = await Stack.select(this.name, workspace);
    // After each up, the API runs three more commands for outputs and history. They take a second together, and a
    // failure of one would count as the up's. Nothing here needs them.
    stack.outputs = async () => ({});
    stack.info = async () => undefined;
    return stack;
  }
}

type Command = Awaited<ReturnType<typeof import("@pulumi/pulumi/automation/index.js")["PulumiCommand"]["get"]>>;

const commands = new Map<string | undefined, Promise<Command>>();

/** Caches the command: its version check runs a command of its own, and once for all stacks is enough. */
async function commandOnPath(path: string | undefined): Promise<Command> {
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  const command = commands.get(path) ?? PulumiCommand.get();
  commands.set(path, command);
  command.catch(() => commands.delete(path));
  return await command;
}
