/** The environment variable in which a command that runs Pulumi says what it is: messages name it as the way out. */
export const upVariable = "KUBECAMP_UP";

/** What has a stack brought up, as messages call it. */
export type UpCommand = "pulumi up" | "kubecamp up";

/** By which command this program is run. */
export const upCommand = (env: NodeJS.ProcessEnv = process.env): UpCommand =>
  env[upVariable] === undefined ? "pulumi up" : "kubecamp up";
