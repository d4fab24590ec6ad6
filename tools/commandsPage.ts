import type { Command, Help } from "commander";
import { clonesCommand } from "../sandbox/kubecamp.ts";

const introduction = `\
# Commands

\`npm run generate\` makes this page from the commands' own help, which \`--help\` prints.

Run each in the project's folder, after \`npm ci\` and \`export PATH="$PWD/node_modules/.bin:$PATH"\`; a shell that
[points at the sandbox](../start/sandbox.md#add-a-member) needs no \`export\`. As a plugin of kubectl, it is
[\`kubectl camp\`](../start/project.md#kubectl-and-shells). Errors are on stderr; the mistakes that \`members check\` finds are on stdout.`;

/** The page docs/reference/commands.md: each command as its help has it, in the order of `kubecamp --help`. */
export function commandsPage(): string {
  const commands = clonesCommand().commands.flatMap(withInner).filter(doesSomething);
  const rows = commands.map((command) => [
    `[\`${pathOf(command)}\`](#${pathOf(command).replaceAll(" ", "-")})`,
    command.description(),
  ]);
  return `${[introduction, table(["command", "what it does"], rows), ...commands.map(section)].join("\n\n")}\n`;
}

const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];

/** A command that only leads to others has commander's own `help` among them. */
const doesSomething = (command: Command) =>
  !command
    .createHelp()
    .visibleCommands(command)
    .some((inner) => inner.name() === "help");

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

function section(command: Command): string {
  const help = command.createHelp();
  const inputs = [...argumentRows(command, help), ...optionRows(command, help)];
  return [
    `## ${pathOf(command)}`,
    `${command.description()}.`,
    ...(inputs.length === 0 ? [] : [table(["argument or option", "meaning"], inputs)]),
    ...furtherHelp(command),
  ].join("\n\n");
}

const argumentRows = (command: Command, help: Help) =>
  command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return [argument.required ? `\`<${name}>\`` : `\`[${name}]\``, help.argumentDescription(argument)];
  });

const optionRows = (command: Command, help: Help) =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => [`\`${help.optionTerm(option)}\``, help.optionDescription(option)]);

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const plain = (cell: string) => (cell.startsWith("`") || cell.startsWith("[") ? cell : escaped(cell));
  return [line(heads), `|${"---|".repeat(heads.length)}`, ...rows.map((row) => line(row.map(plain)))].join("\n");
}

const escaped = (text: string) => text.replaceAll("<", "\\<");

/** The text behind the options: examples, then paragraphs. */
function furtherHelp(command: Command): string[] {
  const pieces: string[] = [];
  command.configureOutput({ writeOut: (piece) => pieces.push(piece) }).outputHelp();
  const text = pieces.join("").slice(command.helpInformation().length);
  const [, examples = "", notes = ""] = /^\n(?:Examples?:\n((?:(?: {2}[^\n]*)?\n)+))?(.*)$/s.exec(text) ?? [];
  return [...(examples === "" ? [] : [exampleBlock(examples)]), ...(notes.trim() === "" ? [] : [paragraphs(notes)])];
}

const exampleBlock = (examples: string): string =>
  ["```sh", ...examples.trim().split(/\n+/).map(exampleLine), "```"].join("\n");

const exampleLine = (line: string): string =>
  /^\s*\$ /.test(line) ? line.replace(/^\s*\$ /, "") : `# ${line.trim().replace(/:$/, "")}`;

/** Exit codes and the names of pages get paragraphs of their own, and the pages links. */
const paragraphs = (notes: string): string =>
  escaped(notes.trim())
    .replaceAll(/\n(?=Exit codes:|See )/g, "\n\n")
    .replaceAll(/docs\/([\w/-]+\.md)/g, (_, page: string) => `[${page}](../${page})`);
