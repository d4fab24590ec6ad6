import { basename } from "node:path";

/** What a run is made of: each is a process of its own, and costs for itself. */
export const parts = ["cli", "program", "plugin", "host", "kubecamp", "kubectl", "helm", "other"] as const;

export type Part = (typeof parts)[number];

/** A stand-in is started as an argument of Node, and everything else by its own name. */
const marks: readonly (readonly [Part, RegExp])[] = [
  ["program", /@pulumi\/pulumi\/cmd\/run(\/index\.js)?$/],
  ["plugin", /(^|\/)(pulumi-resource-kubernetes|standins\/kubernetes\/main\.ts)$/],
  ["host", /(^|\/)(pulumi-language-nodejs|standins\/languageHost\.ts)$/],
  ["kubecamp", /(^|\/)kubecamp\.mjs$/],
];

/** Which part a process is, from its program and arguments. */
export function partOf(command: readonly string[]): Part {
  const marked = marks.find(([, mark]) => command.some((word) => mark.test(word)));
  if (marked !== undefined) {
    return marked[0];
  }
  const program = basename(command[0] ?? "");
  return program === "pulumi" ? "cli" : program === "kubectl" || program === "helm" ? program : "other";
}
