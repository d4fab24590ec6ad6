import { clonesCommand } from "./kubecamp.ts";

await clonesCommand().parseAsync();
