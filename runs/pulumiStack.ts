import type { PulumiFn, Stack, UpOptions, UpResult } from "@pulumi/pulumi/automation/index.js";
import { type PulumiPlace, pulumi } from "./pulumiCommand.ts";

/**
 * A stack that Pulumi has. What finds out whether there is anything to do for it does without Pulumi's API, which takes half a
 * second to load: that is for runs alone.
 * @see https://www.pulumi.com/docs/iac/automation-api/
 */
export class PulumiStack implements PulumiPlace {
  readonly name: string;
  readonly workspace: PulumiPlace["workspace"];
  readonly #program: PulumiFn | undefined;
  #stack: Promise<Stack> | undefined;

  /** @param program what its runs register instead of what the project's program does */
  constructor(name: string, workspace: PulumiPlace["workspace"], program?: PulumiFn) {
    this.name = name;
    this.workspace = workspace;
    this.#program = program;
  }

  async up(options: UpOptions): Promise<UpResult> {
    this.#stack ??= this.#opened();
    this.#stack.catch(() => {
      this.#stack = undefined;
    });
    const stack = await this.#stack;
    Object.assign(stack.workspace, { envVars: this.workspace.envVars });
    return await stack.up(options);
  }

  async cancel(): Promise<void> {
    await pulumi(this, ["cancel", "--yes"]);
  }

  async #opened(): Promise<Stack> {
    const { workDir, envVars } = this.workspace;
    const { LocalWorkspace, Stack } = await import("@pulumi/pulumi/automation/index.js");
    const pulumiCommand = await commandOnPath(process.env.PATH);
    const inline = this.#program === undefined ? {} : { program: this.#program };
    const workspace = await LocalWorkspace.create({ workDir, envVars, pulumiCommand, ...inline });
    // That it is there is known by now. Selecting it would also change which stack a plain `pulumi` in that folder is about.
    workspace.selectStack = async () => {};
    const stack = await Stack.select(this.name, workspace);
    // After each up its API asks for outputs and history, by three more commands that take a second together, and takes one
    // that fails for the up's own failure. Nobody looks at them here.
    stack.outputs = async () => ({});
    stack.info = async () => undefined;
    return stack;
  }
}

type Command = Awaited<ReturnType<typeof import("@pulumi/pulumi/automation/index.js")["PulumiCommand"]["get"]>>;

const commands = new Map<string | undefined, Promise<Command>>();

/** Whether it is new enough takes a command of its own to ask, and is asked once for all stacks. */
async function commandOnPath(path: string | undefined): Promise<Command> {
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  const command = commands.get(path) ?? PulumiCommand.get();
  commands.set(path, command);
  command.catch(() => commands.delete(path));
  return await command;
}
