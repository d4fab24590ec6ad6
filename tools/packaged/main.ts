import { packagedCommand } from "./kubecamp.ts";

await packagedCommand().parseAsync();
