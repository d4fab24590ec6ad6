import { basename } from "node:path";

/** Parts of a run: each is a process with costs of its own. */
export const parts = ["cli", "program", "plugin", "host", "kubecamp", "kubectl", "helm", "other"] as const;

export type Part = (typeof parts)[number];

/** A stand-in is an argument of Node; all others are programs of their own. */
const marks: readonly (readonly [Part, RegExp])[] = [
  ["program", /@pulumi\/pulumi\/cmd\/run(\/index\.js)?$/],
  ["plugin", /(^|\/)(pulumi-resource-kubernetes|standins\/kubernetes\/main\.ts)$/],
  ["host", /(^|\/)(pulumi-language-nodejs|standins\/languageHost\.ts)$/],
  ["kubecamp", /(^|\/)kubecamp\.mjs$/],
];

/** The part of a process, from its program and arguments. */
export function partOf(command: readonly string[]): Part {
  const marked = marks.find(([, mark]) => command.some((word) => mark.test(word)));
  if (marked !== undefined) {
    return marked[0];
  }
  const program = basename(command[0] ?? "");
  return program === "pulumi" ? "cli" : program === "kubectl" || program === "helm" ? program : "other";
}
