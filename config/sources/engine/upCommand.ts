/** Environment variable by which a command that runs Pulumi names itself; messages suggest that command. */
export const upVariable = "KUBECAMP_UP";

/** The command that updates a stack, as messages name it. */
export type UpCommand = "pulumi up" | "kubecamp up";

/** The command that runs this program. */
export const upCommand = (env: NodeJS.ProcessEnv = process.env): UpCommand =>
  env[upVariable] === undefined ? "pulumi up" : "kubecamp up";
